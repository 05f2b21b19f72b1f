package io.tidemark.datastore.journal;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The difference between two contents: parts of the old one, and bytes that it does not have. Parts
 * are cut where an object of JSON begins, so that an entry which moved is copied.
 */
final class ContentPatch {
  private static final byte COPY = 'c';
  private static final byte INSERT = 'i';

  private final byte[] before;
  private final byte[] after;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private int copyFrom;
  private int copyLength;
  private int insertFrom;
  private int insertLength;

  private ContentPatch(byte[] before, byte[] after) {
    this.before = before;
    this.after = after;
  }

  /** The patch that makes {@code after} from {@code before}. */
  static byte[] between(byte[] before, byte[] after) {
    return new ContentPatch(before, after).made();
  }

  private byte[] made() {
    out.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(checksum(after)).array());
    Map<ByteBuffer, Integer> parts = new HashMap<>();
    for (int from = 0; from < before.length; from = end(before, from)) {
      parts.putIfAbsent(part(before, from), from);
    }
    for (int from = 0; from < after.length; from = end(after, from)) {
      ByteBuffer part = part(after, from);
      int length = part.remaining();
      int next = copyFrom + copyLength;
      if (copyLength > 0 && isAt(next, from, length)) {
        copyLength += length;
        continue;
      }
      Integer known = parts.get(part);
      if (known != null) {
        flush();
        copyFrom = known;
        copyLength = length;
      } else {
        if (copyLength > 0) {
          flush();
        }
        insertFrom = insertLength == 0 ? from : insertFrom;
        insertLength += length;
      }
    }
    flush();
    return out.toByteArray();
  }

  private boolean isAt(int at, int from, int length) {
    return at + length <= before.length
        && Arrays.equals(before, at, at + length, after, from, from + length);
  }

  /** Up to the next object. */
  private static int end(byte[] content, int from) {
    int at = from + 1;
    while (at < content.length && content[at] != '{') {
      at++;
    }
    return at;
  }

  private static ByteBuffer part(byte[] content, int from) {
    return ByteBuffer.wrap(content, from, end(content, from) - from);
  }

  private void flush() {
    if (copyLength > 0) {
      out.writeBytes(ByteBuffer.allocate(9).put(COPY).putInt(copyFrom).putInt(copyLength).array());
    }
    if (insertLength > 0) {
      out.writeBytes(ByteBuffer.allocate(5).put(INSERT).putInt(insertLength).array());
      out.write(after, insertFrom, insertLength);
    }
    copyLength = 0;
    insertLength = 0;
  }

  /** The content that a patch makes of another; empty when it was not made for it. */
  static Optional<byte[]> applied(byte[] before, byte[] patch) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(before.length);
    ByteBuffer in = ByteBuffer.wrap(patch);
    if (in.remaining() < Integer.BYTES) {
      return Optional.empty();
    }
    int checksum = in.getInt();
    while (in.hasRemaining()) {
      byte kind = in.get();
      int from = kind == COPY && in.remaining() >= 2 * Integer.BYTES ? in.getInt() : 0;
      int length = in.remaining() >= Integer.BYTES ? in.getInt() : -1;
      int room = kind == COPY ? before.length - from : in.remaining();
      if ((kind != COPY && kind != INSERT) || from < 0 || length < 0 || length > room) {
        return Optional.empty();
      }
      if (kind == COPY) {
        out.write(before, from, length);
      } else {
        out.write(patch, in.position(), length);
        in.position(in.position() + length);
      }
    }
    byte[] after = out.toByteArray();
    return checksum(after) == checksum ? Optional.of(after) : Optional.empty();
  }

  static int checksum(byte[] content) {
    CRC32C checksum = new CRC32C();
    checksum.update(content);
    return (int) checksum.getValue();
  }
}
