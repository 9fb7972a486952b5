package io.headgate.cli;

/** Names of the errors that a run can meet. */
final class Errno {
  private Errno() {}

  static String text(int errno) {
    if (errno == Posix.EAGAIN) {
      return "Resource temporarily unavailable";
    }
    return switch (errno) {
      case 1 -> "Operation not permitted";
      case Posix.ENOENT -> "No such file or directory";
      case 5 -> "Input/output error";
      case Posix.E2BIG -> "Argument list too long";
      case Posix.ENOEXEC -> "Exec format error";
      case 9 -> "Bad file descriptor (closed)";
      case 12 -> "Cannot allocate memory";
      case Posix.EACCES -> "Permission denied";
      case Posix.ENOTDIR -> "Not a directory";
      case Posix.EISDIR -> "Is a directory";
      case 23 -> "Too many open files in the system";
      case 24 -> "Too many open files";
      case 27 -> "File too large";
      case 28 -> "No space left on device";
      case 32 -> "Broken pipe";
      default -> "errno " + errno;
    };
  }
}
