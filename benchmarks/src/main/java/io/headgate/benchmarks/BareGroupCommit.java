package io.headgate.benchmarks;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * The least that durable acceptance can cost: producers hand a row to one writer, which inserts all
 * that lies there in one transaction and lets them go on after its commit. No duplicates, no
 * limits, no counters.
 */
final class BareGroupCommit implements AutoCloseable {

  private static final class Row {
    final String id;
    final byte[] payload;
    final Thread thread = Thread.currentThread();
    volatile boolean done;

    Row(String id, byte[] payload) {
      this.id = id;
      this.payload = payload;
    }
  }

  private final Connection connection;
  private final Thread writer;
  private final Object monitor = new Object();
  private List<Row> rows = new ArrayList<>();
  private boolean closed;

  BareGroupCommit(Path file) throws SQLException {
    connection = DriverManager.getConnection("jdbc:sqlite:" + file);
    try (Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA journal_mode = WAL");
      statement.execute("PRAGMA synchronous = FULL");
      statement.execute("PRAGMA wal_autocheckpoint = 4000");
      statement.execute(
          "CREATE TABLE row (seq INTEGER PRIMARY KEY, id TEXT NOT NULL, payload BLOB NOT NULL)");
    }
    connection.setAutoCommit(false);
    writer = Thread.ofPlatform().daemon().start(this::write);
  }

  void insert(String id, byte[] payload) {
    Row row = new Row(id, payload);
    synchronized (monitor) {
      if (rows.isEmpty()) {
        monitor.notifyAll();
      }
      rows.add(row);
    }
    while (!row.done) {
      LockSupport.park(this);
    }
  }

  private void write() {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO row (id, payload) VALUES (?, ?)")) {
      while (true) {
        List<Row> group;
        synchronized (monitor) {
          while (rows.isEmpty()) {
            if (closed) {
              return;
            }
            monitor.wait();
          }
          group = rows;
          rows = new ArrayList<>();
        }
        for (Row row : group) {
          insert.setString(1, row.id);
          insert.setBytes(2, row.payload);
          insert.executeUpdate();
        }
        connection.commit();
        for (Row row : group) {
          row.done = true;
          LockSupport.unpark(row.thread);
        }
      }
    } catch (SQLException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() throws SQLException {
    synchronized (monitor) {
      closed = true;
      monitor.notifyAll();
    }
    try {
      writer.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    connection.close();
  }
}
