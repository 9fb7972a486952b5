package io.headgate.examples;

import io.headgate.Job;
import io.headgate.JobContext;
import io.headgate.NestedRetries;
import io.headgate.Outcome;
import io.headgate.Worker;
import io.headgate.WorkerBuilder;
import io.headgate.retry.CallHeaders;
import io.headgate.retry.DoNotRetry;
import io.headgate.retry.OverloadedException;
import io.headgate.retry.RetryBudget;
import io.headgate.retry.RetryPolicy;
import io.headgate.retry.RetryableException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** A worker that tries failed payments again, and the layers above and below it. */
public final class Retrying {

  private static final int TOO_MANY_REQUESTS = 429;
  private static final int UNAVAILABLE = 503;

  /** The answer of a bank that is asked over a network. */
  record Answer(int status, Duration retryAfter) {}

  /** What the network does with a call. */
  interface Bank {
    Answer pay(String invoice, Map<String, String> headers) throws IOException;
  }

  /** The card is stolen: no other attempt may follow, whatever the policy says. */
  static final class CardStolen extends RuntimeException implements DoNotRetry {
    private static final long serialVersionUID = 1L;
  }

  private final List<String> calls = new CopyOnWriteArrayList<>();

  private Retrying() {}

  /** Prints the calls and the outcome of one payment that succeeds at last. */
  public static void main(String[] args) throws InterruptedException {
    paidThroughTrouble().forEach(System.out::println);
  }

  static List<String> paidThroughTrouble() throws InterruptedException {
    Retrying program = new Retrying();
    Outcome outcome = program.payThroughTrouble();
    program.calls.add(outcome.toString());
    return program.calls;
  }

  static RetryPolicy policy() {
    RetryPolicy policy =
        RetryPolicy.attempts(3) // the first and two more
            .backoff(Duration.ofMillis(100), Duration.ofSeconds(20)) // 0 to 100 ms, then 0 to 200
            .timeout(Duration.ofSeconds(5)) // each attempt
            .deadline(Duration.ofSeconds(30)) // all of them
            .retryIf(failure -> failure instanceof IOException)
            .idempotent() // the bank knows the key
            .budget(RetryBudget.shared("bank")); // for all that call the bank
    return policy;
  }

  static RetryBudget budget() {
    return RetryBudget.builder()
        .percent(10) // retries for a hundred first attempts
        .perSecond(1) // and one a second, whatever the load
        .saved(100) // so many at once after a quiet time
        .build("bank");
  }

  /** Pays once at a bank that is busy, then unreachable, then well. */
  private Outcome payThroughTrouble() throws InterruptedException {
    Bank bank =
        (invoice, headers) -> {
          calls.add("attempt " + headers.get(CallHeaders.ATTEMPT) + " of " + key(headers));
          return switch (calls.size()) {
            case 1 -> new Answer(TOO_MANY_REQUESTS, Duration.ofMillis(5));
            case 2 -> throw new IOException("connection reset");
            default -> new Answer(200, Duration.ZERO);
          };
        };
    RetryPolicy quick =
        policy().backoff(Duration.ofMillis(1), Duration.ofMillis(1)).budget(budget());
    WorkerBuilder<String> settings = Worker.<String>builder("payments").concurrency(4).retry(quick);
    try (Worker<String> payments =
        settings.start((job, context) -> pay(bank, job.payload(), context))) {
      payments.submit(Job.of("inv-42", "invoice 42"));
      payments.awaitIdle(Duration.ofSeconds(30));
      return payments.outcome("inv-42").orElseThrow();
    }
  }

  private static String key(Map<String, String> headers) {
    return String.valueOf(headers.get(CallHeaders.IDEMPOTENCY_KEY));
  }

  private static void pay(Bank bank, String invoice, JobContext context) throws IOException {
    Answer answer = bank.pay(invoice, CallHeaders.of(context));
    switch (answer.status()) {
      case TOO_MANY_REQUESTS -> throw new OverloadedException(answer.retryAfter());
      case UNAVAILABLE -> throw OverloadedException.doNotRetry("the bank asks to be left alone");
      case 502 -> throw new RetryableException("the bank's gateway has no answer");
      case 504 -> throw RetryableException.uncertain("sent, and the answer was lost", gone());
      case 403 -> throw new CardStolen();
      default -> {}
    }
    // Paid. Whatever fails from here on, it must not be paid again.
    context.doNotRetry();
  }

  private static IOException gone() {
    return new IOException("gateway timeout");
  }

  /** Takes a job that came over the network, with the headers of its call. */
  static void take(Worker<String> payments, String id, String body, Map<String, String> headers)
      throws InterruptedException {
    Job<String> job = Job.of(id, body);
    if (CallHeaders.sayRetried(headers)) {
      job = job.retriedByCaller(); // one attempt here; the caller has the others
    }
    payments.submit(job);
  }

  /** A client that tries twice by itself, and tells the worker above, if there is one. */
  static Answer askTwice(Bank bank, String invoice) throws IOException {
    IOException last = new IOException("not asked yet");
    for (int attempt = 1; attempt <= 2; attempt++) {
      if (attempt > 1) {
        NestedRetries.count(); // before each retry of its own
      }
      try {
        return bank.pay(invoice, Map.of());
      } catch (IOException e) {
        last = e;
      }
    }
    throw last;
  }

  /** Hands something on that nobody waits for, and that is not handed on twice. */
  static void notifyOnce(Worker<String> mails, String id) throws InterruptedException {
    mails.submit(Job.of(id, "paid").retriedByWorkerAlone());
  }
}
