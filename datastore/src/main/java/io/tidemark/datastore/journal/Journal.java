package io.tidemark.datastore.journal;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.tidemark.datastore.checkpoint.CheckpointReaderJson;
import io.tidemark.datastore.checkpoint.UnreadableCheckpoint;
import io.tidemark.datastore.checkpoint.UnreadableCheckpoint.Kind;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/**
 * The bytes of a journal: a mark, then records. A record has its length, the CRC-32C of its content
 * and the content; that of the first one is the plain file, those of others are patches.
 */
public final class Journal {
  private static final byte[] MARK = "tidemark-journal/1\n".getBytes(US_ASCII);
  private static final int RECORD_HEAD = 2 * Integer.BYTES;
  private static final String SUFFIX = ".journal";

  private Journal() {}

  /** The common content of a plain file and its journal. */
  public sealed interface Merged {
    /** The journal has the last content. */
    final class Latest implements Merged {
      private final byte[] content;
      private final int records;
      private final boolean torn;

      Latest(byte[] content, int records, boolean torn) {
        this.content = content;
        this.records = records;
        this.torn = torn;
      }

      /** The content; a copy. */
      public byte[] content() {
        return content.clone();
      }

      /** How many changes there are since the journal began. */
      public int records() {
        return records;
      }

      /** Whether a write was not finished, which is left out. */
      public boolean torn() {
        return torn;
      }
    }

    /** The plain file was written after the journal, which does not count any more. */
    record Superseded() implements Merged {}

    /** The journal is damaged, so the last content is not known. */
    record Damaged(UnreadableCheckpoint problem) implements Merged {
      public Damaged {
        Objects.requireNonNull(problem, "problem");
      }
    }
  }

  /** The journal of a plain file. */
  public static Path of(Path plain) {
    return plain.resolveSibling(plain.getFileName() + SUFFIX);
  }

  /** A journal that has what the plain file has. */
  static byte[] begun(byte[] plain) {
    ByteBuffer out = ByteBuffer.allocate(MARK.length + RECORD_HEAD + plain.length);
    return out.put(MARK).put(record(plain)).array();
  }

  static byte[] record(byte[] content) {
    return ByteBuffer.allocate(RECORD_HEAD + content.length)
        .putInt(content.length)
        .putInt(ContentPatch.checksum(content))
        .put(content)
        .array();
  }

  /**
   * Reads both.
   *
   * @param plain empty when there is no such file
   */
  public static Merged merged(Optional<byte[]> plain, byte[] journal) {
    if (!startsWithMark(journal)) {
      return damaged(0, "it does not begin as a journal");
    }
    Optional<byte[]> base = content(journal, MARK.length);
    if (base.isEmpty()) {
      return damaged(MARK.length, "its first record is damaged");
    }
    if (plain.isPresent() && !Arrays.equals(plain.get(), base.get()) && isNewer(plain.get())) {
      return new Merged.Superseded();
    }
    byte[] content = base.get();
    int records = 0;
    int at = MARK.length + RECORD_HEAD + content.length;
    while (at < journal.length) {
      Optional<byte[]> patch = content(journal, at);
      if (patch.isEmpty() && isTorn(journal, at)) {
        return new Merged.Latest(content, records, true);
      }
      Optional<byte[]> next = patch.isEmpty() ? patch : ContentPatch.applied(content, patch.get());
      if (next.isEmpty()) {
        return damaged(at, "the record is damaged, and others follow");
      }
      content = next.get();
      records++;
      at += RECORD_HEAD + patch.get().length;
    }
    return new Merged.Latest(content, records, false);
  }

  private static boolean startsWithMark(byte[] journal) {
    return journal.length >= MARK.length
        && Arrays.equals(journal, 0, MARK.length, MARK, 0, MARK.length);
  }

  /** Whether a plain file that differs was written later; a damaged one was not. */
  private static boolean isNewer(byte[] plain) {
    try {
      Object unused = CheckpointReaderJson.read(plain);
      return true;
    } catch (UnreadableCheckpoint e) {
      return e.kind() == Kind.VERSION;
    }
  }

  /** The content of a record; empty when the record is not whole. */
  private static Optional<byte[]> content(byte[] journal, int at) {
    int from = at + RECORD_HEAD;
    if (from > journal.length) {
      return Optional.empty();
    }
    ByteBuffer head = ByteBuffer.wrap(journal, at, RECORD_HEAD);
    int length = head.getInt();
    int checksum = head.getInt();
    if (length <= 0 || length > journal.length - from) {
      return Optional.empty();
    }
    byte[] content = Arrays.copyOfRange(journal, from, from + length);
    return ContentPatch.checksum(content) == checksum ? Optional.of(content) : Optional.empty();
  }

  /**
   * Whether a record that is not whole is the last one: nothing is answered before it is whole, and
   * the next one begins after that.
   */
  private static boolean isTorn(byte[] journal, int at) {
    int from = at + RECORD_HEAD;
    if (from > journal.length) {
      return true;
    }
    int length = ByteBuffer.wrap(journal, at, Integer.BYTES).getInt();
    return length >= journal.length - from || isZero(journal, at);
  }

  private static boolean isZero(byte[] journal, int from) {
    for (int at = from; at < journal.length; at++) {
      if (journal[at] != 0) {
        return false;
      }
    }
    return true;
  }

  private static Merged damaged(int at, String why) {
    return new Merged.Damaged(new UnreadableCheckpoint(Kind.CORRUPT, "byte " + at, why));
  }
}
