package io.headgate.cli;

/** Reads sizes in bytes such as {@code 4096}, {@code 128K}, {@code 64M} and {@code 2G}. */
final class SizeOption {
  private SizeOption() {}

  /**
   * Reads a size; K, M and G are powers of 1,024.
   *
   * @throws UsageException if it is none, or is not between the bounds
   */
  static long parse(String option, String text, long least, long most) throws UsageException {
    int shift = shift(text);
    String digits = shift == 0 ? text : text.substring(0, text.length() - 1);
    try {
      long number = Long.parseLong(digits);
      if (Character.isDigit(digits.charAt(0))
          && number <= most >> shift
          && number << shift >= least) {
        return number << shift;
      }
    } catch (NumberFormatException e) {
      // Told below, together with the sizes that are out of range.
    }
    throw new UsageException(
        option
            + " "
            + text
            + ": must be a number of bytes from "
            + least
            + " to "
            + most
            + ", such as 4096, 128K or 64M");
  }

  private static int shift(String text) {
    return switch (text.isEmpty() ? ' ' : text.charAt(text.length() - 1)) {
      case 'K' -> 10;
      case 'M' -> 20;
      case 'G' -> 30;
      default -> 0;
    };
  }
}
