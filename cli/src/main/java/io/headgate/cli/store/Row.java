package io.headgate.cli.store;

import java.util.HexFormat;

/**
 * What is recorded of one line of a run.
 *
 * @param position its place among the items of the input, from 1
 * @param line the number of the line of the input with which it begins
 * @param hash the hash of its content
 */
public record Row(long position, long line, long hash, LineState state) {

  /** The id by which it is listed and decided on, as in {@code 17-4f1c2a9b00e3d5f7}. */
  public String id() {
    return position + "-" + HexFormat.of().toHexDigits(hash);
  }
}
