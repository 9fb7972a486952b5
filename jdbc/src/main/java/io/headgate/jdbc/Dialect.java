package io.headgate.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** What differs from one database to the next; all other SQL is shared. */
interface Dialect {

  /** Opens the one connection that writes. */
  Connection openWriter() throws SQLException;

  /** Opens a connection that only reads, and sees committed states only. */
  Connection openReader() throws SQLException;

  /** The statement that begins a transaction that will write. */
  String begin();

  /** The first part of the names of the schema's resources. */
  String schemaPrefix();

  /** Whether a table of that name exists. */
  boolean hasTable(Connection connection, String table) throws SQLException;

  /** Whether any table exists, of whomever. */
  boolean hasAnyTable(Connection connection) throws SQLException;

  /**
   * Whether a failure says that the store cannot be used now; else it is of the statement alone,
   * such as a value that the store does not take.
   */
  boolean isOfTheStore(SQLException failure);

  /** Puts a failure into words for whoever runs the worker: the store, what is wrong, the cure. */
  StoreException explain(SQLException failure);
}
