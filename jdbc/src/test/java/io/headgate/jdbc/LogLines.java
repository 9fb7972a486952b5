package io.headgate.jdbc;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What a class of the store logs while this is open. */
final class LogLines extends Handler implements AutoCloseable {

  private final Logger logger;
  private final List<String> lines = new CopyOnWriteArrayList<>();

  LogLines(Class<?> of) {
    logger = Logger.getLogger(of.getName());
    logger.addHandler(this);
  }

  List<String> lines() {
    return lines;
  }

  @Override
  public void publish(LogRecord line) {
    lines.add(line.getMessage());
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
  }
}
