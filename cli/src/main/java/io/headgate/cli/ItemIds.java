package io.headgate.cli;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** The ids of jobs. */
final class ItemIds {
  private ItemIds() {}

  /** The item's position and hash, as in {@code 17-4f1c2a9b00e3d5f7}. */
  static String ofPosition(Item item) {
    return item.position() + "-" + hash(item.hash());
  }

  /** A hash as 16 digits. */
  static String hash(long hash) {
    return HexFormat.of().toHexDigits(hash);
  }

  /**
   * The item's lines, parted by newlines, in a form that is an id: what no id may hold is written
   * as {@code \xHH}, and so is the backslash, so that different lines have different ids.
   */
  static String ofLines(Item item) {
    StringBuilder id = new StringBuilder();
    for (Line line : item.lines()) {
      if (!id.isEmpty()) {
        id.append("\\x0a");
      }
      append(id, line.bytes());
    }
    // An empty id is none.
    return id.isEmpty() ? "\\x" : id.toString();
  }

  private static void append(StringBuilder id, byte[] bytes) {
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      // Each byte is a character of its own then, and none above ASCII stays.
      text = null;
    }
    String chars = text == null ? new String(bytes, StandardCharsets.ISO_8859_1) : text;
    for (int i = 0; i < chars.length(); i++) {
      char c = chars.charAt(i);
      if (c == '\\' || Character.isISOControl(c) || (text == null && c >= 0x80)) {
        byte[] raw =
            text == null
                ? new byte[] {(byte) c}
                : String.valueOf(c).getBytes(StandardCharsets.UTF_8);
        for (byte b : raw) {
          id.append("\\x").append(HexFormat.of().toHexDigits(b));
        }
      } else {
        id.append(c);
      }
    }
  }
}
