package io.headgate.cli;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Begins each line with the item and a tab. The tag is the item's lines, parted by blanks. A
 * control byte of theirs would break the line or the terminal, so it is written as {@code \n},
 * {@code \t}, {@code \r} or {@code \xHH}; a backslash stays as it is.
 */
final class TaggedLines implements LineSink {
  // A block of empty lines grows by the tag times their number, so it goes on in pieces.
  private static final int PIECE_BYTES = 1 << 14;
  private static final int FIRST_BYTES = 512;

  private final LineSink sink;
  private final byte[] tag;
  private byte[] piece = new byte[FIRST_BYTES];
  private int length;

  TaggedLines(Item item, LineSink sink) {
    this.sink = sink;
    tag = tag(item);
  }

  private static byte[] tag(Item item) {
    ByteArrayOutputStream tag = new ByteArrayOutputStream();
    for (int i = 0; i < item.lines().size(); i++) {
      if (i > 0) {
        tag.write(' ');
      }
      for (byte b : item.lines().get(i).bytes()) {
        // Bytes above ASCII are parts of characters.
        if ((b >= 0 && b < ' ') || b == 0x7F) {
          tag.writeBytes(escape(b).getBytes(StandardCharsets.US_ASCII));
        } else {
          tag.write(b);
        }
      }
    }
    tag.write('\t');
    return tag.toByteArray();
  }

  private static String escape(byte b) {
    return switch (b) {
      case '\n' -> "\\n";
      case '\t' -> "\\t";
      case '\r' -> "\\r";
      case '\0' -> "\\0";
      default -> "\\x" + HexFormat.of().toHexDigits(b);
    };
  }

  @Override
  public boolean write(Output.Stream stream, byte[] lines, int count, Pause pause) {
    int at = 0;
    length = 0;
    while (at < count) {
      int end = at;
      while (lines[end] != '\n') {
        end++;
      }
      end++;
      if (length > 0 && length + tag.length + end - at > PIECE_BYTES) {
        if (!sink.write(stream, piece, length, pause)) {
          return false;
        }
        length = 0;
      }
      add(tag, 0, tag.length);
      add(lines, at, end - at);
      at = end;
    }
    return sink.write(stream, piece, length, pause);
  }

  private void add(byte[] bytes, int from, int count) {
    if (length + count > piece.length) {
      piece = Arrays.copyOf(piece, Math.max(length + count, 2 * piece.length));
    }
    System.arraycopy(bytes, from, piece, length, count);
    length += count;
  }

  @Override
  public void proceed(Pause pause) {
    sink.proceed(pause);
  }

  @Override
  public void end(Pause pause) {
    sink.end(pause);
  }
}
