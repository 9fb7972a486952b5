package io.headgate.jdbc;

import io.headgate.jdbc.ModelState.Place;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Every transition that a durable backlog has, on paper: two nodes, two jobs, one database. Each
 * step names the event as docs/internals/state-machines.md does.
 */
final class Model {

  static final int MAX_STARTS = 2;
  static final int CONCURRENCY = 1;
  static final int ROOM = 2;

  /** One step: what happened to which job, and the state after it. */
  record Step(String event, int job, Place from, ModelState after) {
    Place to() {
      return after.place[job];
    }
  }

  private final Uncertain policy;
  private final List<Step> steps = new ArrayList<>();

  Model(Uncertain policy) {
    this.policy = policy;
  }

  /** All steps that can come next. */
  List<Step> next(ModelState now) {
    steps.clear();
    for (int job = 0; job < ModelState.JOBS; job++) {
      ofAJob(now, job);
    }
    for (int node = 0; node < ModelState.NODES; node++) {
      ofANode(now, node);
    }
    return List.copyOf(steps);
  }

  private void ofAJob(ModelState now, int job) {
    switch (now.place[job]) {
      case NONE -> {
        if (now.unfinished() < ROOM && (isAdmitting(now, 0) || isAdmitting(now, 1))) {
          ModelState after = now.copy();
          after.accepted++;
          move(after, job, Place.WAITING);
          add("admit", job, now, after);
          ModelState later = now.copy();
          later.accepted++;
          move(later, job, Place.SUSPENDED);
          add("admit with a delay", job, now, later);
        }
      }
      case WAITING -> {
        to("cancel", job, now, Place.UNSTARTED);
        to("shed", job, now, Place.UNSTARTED);
        to("expire", job, now, Place.UNSTARTED);
      }
      case SUSPENDED -> {
        boolean wasStarted = now.token[job] > 0;
        to("due", job, now, wasStarted ? Place.DUE : Place.WAITING);
        to("cancel", job, now, wasStarted ? Place.FAILED : Place.UNSTARTED);
      }
      case DUE -> {
        to("cancel", job, now, Place.FAILED);
        to("too late", job, now, Place.FAILED);
      }
      case HELD -> {
        ModelState again = now.copy();
        again.starts[job] = 0;
        move(again, job, Place.DUE);
        add("decide rerun", job, now, again);
        to("decide complete", job, now, Place.COMPLETED);
        to("decide fail", job, now, Place.FAILED);
        to("cancel", job, now, Place.FAILED);
      }
      // A running job is told by a cancel and moves only when it ends; an outcome stays for good.
      case RUNNING, COMPLETED, FAILED, INTERRUPTED, UNSTARTED -> {}
    }
  }

  private void ofANode(ModelState now, int node) {
    if (!now.up[node]) {
      ModelState after = now.copy();
      after.up[node] = true;
      add("restart", 0, now, after);
      return;
    }
    for (int job = 0; job < ModelState.JOBS; job++) {
      if ((now.place[job] == Place.WAITING || now.place[job] == Place.DUE)
          && !now.stopping[node]
          && now.runningOn(node) < CONCURRENCY) {
        claim(now, node, job);
      }
      if (now.believed[node][job] != 0) {
        settle(now, node, job, "settle completed", Place.COMPLETED);
        settle(now, node, job, "settle failed", Place.FAILED);
        settle(now, node, job, "settle interrupted by cancel", Place.INTERRUPTED);
        settle(now, node, job, "suspend", Place.SUSPENDED);
        if (now.stopping[node]) {
          interrupt(now, node, job);
        }
      }
    }
    if (!now.stopping[node]) {
      ModelState after = now.copy();
      after.stopping[node] = true;
      add("stop", 0, now, after);
    }
    lose("crash", now, node, false);
    lose("lease loss", now, node, true);
  }

  private static boolean isAdmitting(ModelState now, int node) {
    return now.up[node] && !now.stopping[node];
  }

  private void claim(ModelState now, int node, int job) {
    ModelState after = now.copy();
    after.starts[job]++;
    after.token[job]++;
    after.owner[job] = node;
    after.believed[node][job] = after.token[job];
    move(after, job, Place.RUNNING);
    add("claim", job, now, after);
  }

  /** A settle with an old token changes nothing but what the node believes. */
  private void settle(ModelState now, int node, int job, String event, Place to) {
    ModelState after = now.copy();
    after.believed[node][job] = 0;
    if (isCurrent(now, node, job)) {
      after.starts[job]--;
      move(after, job, to);
      add(event, job, now, after);
    } else {
      add("settle, fenced off", job, now, after);
    }
  }

  private static boolean isCurrent(ModelState now, int node, int job) {
    return now.place[job] == Place.RUNNING && now.token[job] == now.believed[node][job];
  }

  /** A clean stop had to interrupt the handler: uncertain, and a rerun costs no attempt. */
  private void interrupt(ModelState now, int node, int job) {
    ModelState after = now.copy();
    after.believed[node][job] = 0;
    if (!isCurrent(now, node, job)) {
      add("settle, fenced off", job, now, after);
      return;
    }
    after.starts[job]--;
    move(after, job, uncertain(after, job));
    add("settle interrupted by stop", job, now, after);
  }

  /** A node is gone, or is believed to be: what it ran is uncertain, for whoever recovers it. */
  private void lose(String event, ModelState now, int node, boolean lives) {
    ModelState after = now.copy();
    if (!lives) {
      after.up[node] = false;
      after.stopping[node] = false;
      Arrays.fill(after.believed[node], 0);
    }
    boolean ran = false;
    for (int job = 0; job < ModelState.JOBS; job++) {
      if (now.place[job] == Place.RUNNING && now.owner[job] == node) {
        ran = true;
        move(after, job, uncertain(after, job));
        steps.add(new Step(event, job, Place.RUNNING, after));
      }
    }
    if (!ran && !lives) {
      add(event, 0, now, after);
    }
  }

  private Place uncertain(ModelState after, int job) {
    return switch (policy) {
      case RERUN -> after.starts[job] < MAX_STARTS ? Place.DUE : Place.HELD;
      case HOLD -> Place.HELD;
      case FAIL -> Place.FAILED;
    };
  }

  private void to(String event, int job, ModelState now, Place to) {
    ModelState after = now.copy();
    move(after, job, to);
    add(event, job, now, after);
  }

  private void add(String event, int job, ModelState now, ModelState after) {
    steps.add(new Step(event, job, now.place[job], after));
  }

  private static void move(ModelState state, int job, Place to) {
    Place from = state.place[job];
    if (from != Place.NONE) {
      state.count(from, -1);
    }
    state.count(to, 1);
    state.place[job] = to;
    if (from == Place.RUNNING) {
      state.owner[job] = 0;
    }
  }
}
