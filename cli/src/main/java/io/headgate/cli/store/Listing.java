package io.headgate.cli.store;

import io.headgate.jdbc.JobPlace;
import io.headgate.jdbc.ListedJob;
import io.headgate.jdbc.SqliteFile;
import io.headgate.jdbc.StoreException;
import io.headgate.jdbc.StoreListing;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;

/** The command {@code headgate jobs}: lists what a store holds, page by page. Changes nothing. */
public final class Listing {
  /** What is listed without more words. */
  public static final int DEFAULT_LIMIT = 100;

  /** What can be asked for. */
  public enum Place {
    HELD,
    WAITING,
    SUSPENDED,
    RUNNING,
    ENDED,
    /** All that has not ended, and the lines of a run that have failed. */
    ANY
  }

  private static final int PAGE = 500;

  private final Path path;
  private final Place place;
  private final boolean json;
  private final boolean payloads;
  private final Console console;

  private Listing(Path path, Place place, boolean json, boolean payloads, Console console) {
    this.path = path;
    this.place = place;
    this.json = json;
    this.payloads = payloads;
    this.console = console;
  }

  /**
   * Lists; the exit code.
   *
   * @param after the key behind which it begins
   * @param limit how many at most
   * @param payloads whether payloads are shown
   */
  public static int list(
      Path path,
      Place place,
      long after,
      int limit,
      boolean json,
      boolean payloads,
      Console console) {
    Listing listing = new Listing(path, place, json, payloads, console);
    try {
      StoreFile store = StoreFile.of(path);
      return store.kind() == StoreKind.RUN
          ? listing.lines(after, limit)
          : listing.jobs(after, limit);
    } catch (StoreFile.Refused e) {
      console.complain(e.line());
      return e.exitCode();
    } catch (StoreException e) {
      return refused(StoreFault.of(path.toString(), e), console);
    } catch (StoreFault e) {
      return refused(e, console);
    }
  }

  static int refused(StoreFault fault, Console console) {
    console.complain(fault.line());
    return fault.isNoDatabase() ? StoreFile.NO_STORE : StoreFile.UNUSABLE;
  }

  // ---- the lines of a run ----

  private int lines(long after, int limit) throws StoreFault {
    // What is recorded as running is so only while somebody runs it.
    boolean alive = SqliteFile.owner(path).isPresent();
    try (ProgressStore store = ProgressStore.look(path)) {
      if (store == null || !head("id\tstate\tline")) {
        return store == null ? StoreFile.OK : StoreFile.OUTPUT;
      }
      long last = after;
      int left = limit;
      while (left > 0) {
        List<Row> page = store.page(last, Math.min(PAGE, left), states(alive));
        for (Row row : page) {
          if (!console.print(text(row, word(row.state(), alive)))) {
            return StoreFile.OUTPUT;
          }
          last = row.position();
        }
        left -= page.size();
        if (page.size() < PAGE && left > 0) {
          return StoreFile.OK;
        }
      }
      return more(last, !store.page(last, 1, states(alive)).isEmpty());
    }
  }

  private List<LineState> states(boolean alive) {
    List<LineState> states = new ArrayList<>();
    for (LineState state : LineState.values()) {
      String word = word(state, alive);
      boolean asked =
          switch (place) {
            case ANY -> state != LineState.COMPLETED;
            case ENDED -> state == LineState.FAILED;
            case HELD, WAITING, SUSPENDED, RUNNING ->
                word.equals(place.name().toLowerCase(Locale.ROOT));
          };
      if (asked) {
        states.add(state);
      }
    }
    return states;
  }

  private static String word(LineState state, boolean alive) {
    return switch (state) {
      case OPEN -> "waiting";
      case RUNNING -> alive ? "running" : "held";
      case UNCERTAIN -> "held";
      case SUSPENDED, FAILED, COMPLETED -> state.word();
    };
  }

  private String text(Row row, String state) {
    return json
        ? "{\"key\":"
            + row.position()
            + ",\"id\":\""
            + row.id()
            + "\",\"state\":\""
            + state
            + "\",\"line\":"
            + row.line()
            + "}"
        : row.id() + "\t" + state + "\t" + row.line();
  }

  // ---- the jobs of a worker ----

  private int jobs(long after, int limit) {
    if (!head(
        "key\tid\tstate\tattempts\tuncertain\tbytes\terror" + (payloads ? "\tpayload" : ""))) {
      return StoreFile.OUTPUT;
    }
    JobPlace asked =
        switch (place) {
          case HELD -> JobPlace.HELD;
          case WAITING -> JobPlace.WAITING;
          case SUSPENDED -> JobPlace.SUSPENDED;
          case RUNNING -> JobPlace.RUNNING;
          case ENDED -> JobPlace.ENDED;
          case ANY -> JobPlace.UNFINISHED;
        };
    long last = after;
    int left = limit;
    // Few at once, as payloads may be large.
    int most = payloads ? 16 : PAGE;
    while (left > 0) {
      int size = Math.min(most, left);
      List<ListedJob> page = StoreListing.page(path, asked, last, size, payloads);
      for (ListedJob job : page) {
        if (!console.print(json ? asJson(job) : asText(job))) {
          return StoreFile.OUTPUT;
        }
        last = job.key();
      }
      left -= page.size();
      if (page.size() < size) {
        return StoreFile.OK;
      }
    }
    return more(last, !StoreListing.page(path, asked, last, 1, false).isEmpty());
  }

  private String asText(ListedJob job) {
    String error = job.error().map(e -> e.errorType() + ": " + e.message()).orElse("");
    return job.key()
        + "\t"
        + Texts.oneField(job.id())
        + "\t"
        + job.state()
        + "\t"
        + job.attempts()
        + "\t"
        + job.uncertainStarts()
        + "\t"
        + job.bytes()
        + "\t"
        + Texts.oneField(error)
        + (payloads
            ? "\t"
                + Texts.oneField(
                    job.payload().map(b -> new String(b, StandardCharsets.UTF_8)).orElse(""))
            : "");
  }

  private static String asJson(ListedJob job) {
    StringBuilder text = new StringBuilder("{\"key\":").append(job.key());
    text.append(",\"id\":").append(Texts.quoted(job.id()));
    text.append(",\"state\":\"").append(job.state());
    text.append("\",\"attempts\":").append(job.attempts());
    text.append(",\"uncertainStarts\":").append(job.uncertainStarts());
    text.append(",\"bytes\":").append(job.bytes());
    job.error()
        .ifPresent(
            error ->
                text.append(",\"errorType\":")
                    .append(Texts.quoted(error.errorType()))
                    .append(",\"errorMessage\":")
                    .append(Texts.quoted(error.message())));
    job.payload()
        .ifPresent(
            bytes ->
                text.append(",\"payloadBase64\":\"")
                    .append(Base64.getEncoder().encodeToString(bytes))
                    .append('"'));
    return text.append('}').toString();
  }

  private boolean head(String columns) {
    return json || console.print(columns);
  }

  private int more(long last, boolean isThere) {
    if (isThere) {
      console.complain("there are more; go on with --after " + last + ", or raise --limit");
    }
    return StoreFile.OK;
  }
}
