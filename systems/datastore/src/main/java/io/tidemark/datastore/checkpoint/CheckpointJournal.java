package io.tidemark.datastore.checkpoint;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.tidemark.datastore.checkpoint.UnreadableCheckpoint.Kind;
import io.tidemark.file.AtomicFile;
import io.tidemark.file.FilePort;
import io.tidemark.file.FileTooLarge;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The journal of {@code checkpoint=journal}, a removed setting: the changes since a checkpoint was
 * written. It is folded into the checkpoint and deleted; nothing writes one.
 *
 * <p>It has a mark, then records: a length, the CRC-32C of the content, and the content. That of
 * the first record is the file as the journal began. Others are patches: the CRC-32C of the result,
 * then its parts in order. A part is {@code c}, position and length of a part of the content
 * before, or {@code i}, a length and bytes. Numbers have four bytes, the highest first.
 */
final class CheckpointJournal {
  private static final byte[] MARK = "tidemark-journal/1\n".getBytes(US_ASCII);
  private static final int RECORD_HEAD = 2 * Integer.BYTES;
  private static final byte COPY = 'c';
  private static final byte INSERT = 'i';

  /** The content of a file, and 1 MiB of changes, with room. */
  private static final int BYTES_MAX = 2 * CheckpointFile.BYTES_MAX;

  private final AtomicFile file;
  private final AtomicFile journal;
  private final FilePort files;

  CheckpointJournal(AtomicFile file, FilePort files) {
    this.file = file;
    this.journal =
        new AtomicFile(
            file.path().resolveSibling(file.path().getFileName() + CheckpointFile.JOURNAL), files);
    this.files = files;
  }

  Path path() {
    return journal.path();
  }

  /** Keeps it under the name of a damaged file. */
  void moveAside() throws IOException {
    journal.moveAside(CheckpointFile.DAMAGED);
  }

  /**
   * Writes the last content to the file and deletes the journal, if there is one. A file that is
   * damaged is left as it is, and its backup gets the content. A journal whose file was written
   * later does not count: it is deleted, unless this program cannot read the file.
   *
   * @throws UnreadableCheckpoint when the last content is not known; nothing was changed
   */
  void fold() throws IOException, UnreadableCheckpoint {
    journal.sweep();
    Optional<byte[]> bytes = journal.read(BYTES_MAX);
    if (bytes.isEmpty()) {
      return;
    }
    byte[] first = first(bytes.get());
    Optional<byte[]> plain = plain();
    Optional<Kind> damage = plain.flatMap(CheckpointJournal::damage);
    boolean counts =
        plain.isEmpty()
            || Arrays.equals(plain.get(), first)
            || damage.equals(Optional.of(Kind.CORRUPT));
    if (counts) {
      byte[] last = last(bytes.get(), first);
      CheckpointReaderJson.read(last);
      new AtomicFile(file.previous(), files).write(last);
      if (damage.isEmpty()) {
        new AtomicFile(file.path(), files).write(last);
      }
    }
    if (counts || damage.isEmpty()) {
      files.delete(journal.path());
    }
  }

  /** One that is too large to be read is no checkpoint. */
  private Optional<byte[]> plain() throws IOException {
    try {
      return file.read(CheckpointFile.BYTES_MAX);
    } catch (FileTooLarge e) {
      return Optional.of(new byte[0]);
    }
  }

  private static Optional<Kind> damage(byte[] content) {
    try {
      CheckpointReaderJson.read(content);
      return Optional.empty();
    } catch (UnreadableCheckpoint e) {
      return Optional.of(e.kind());
    }
  }

  // ---- its bytes

  private static byte[] first(byte[] journal) throws UnreadableCheckpoint {
    if (!Arrays.equals(Arrays.copyOf(journal, MARK.length), MARK)) {
      throw damaged(0, "it does not begin as a journal");
    }
    return record(journal, MARK.length)
        .orElseThrow(() -> damaged(MARK.length, "its first record is damaged"));
  }

  /** A last record that is cut off is left out: nothing was answered before it was whole. */
  private static byte[] last(byte[] journal, byte[] first) throws UnreadableCheckpoint {
    byte[] content = first;
    int at = MARK.length + RECORD_HEAD + first.length;
    while (at < journal.length) {
      Optional<byte[]> patch = record(journal, at);
      if (patch.isEmpty() && isTorn(journal, at)) {
        return content;
      }
      Optional<byte[]> next = patch.isEmpty() ? patch : patched(content, patch.get());
      if (next.isEmpty()) {
        throw damaged(at, "the record is damaged, and others follow");
      }
      content = next.get();
      at += RECORD_HEAD + patch.get().length;
    }
    return content;
  }

  /** The content of a record; empty when the record is not whole. */
  private static Optional<byte[]> record(byte[] journal, int at) {
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
    return checksum(content) == checksum ? Optional.of(content) : Optional.empty();
  }

  /** Whether a record that is not whole is the last one, or zeros of the file system. */
  private static boolean isTorn(byte[] journal, int at) {
    int from = at + RECORD_HEAD;
    if (from > journal.length) {
      return true;
    }
    int length = ByteBuffer.wrap(journal, at, Integer.BYTES).getInt();
    byte[] rest = Arrays.copyOfRange(journal, at, journal.length);
    return length >= journal.length - from || Arrays.equals(rest, new byte[rest.length]);
  }

  /** The content that a patch makes of another; empty when it was not made for it. */
  private static Optional<byte[]> patched(byte[] before, byte[] patch) {
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

  private static int checksum(byte[] content) {
    CRC32C checksum = new CRC32C();
    checksum.update(content);
    return (int) checksum.getValue();
  }

  private static UnreadableCheckpoint damaged(int at, String why) {
    return new UnreadableCheckpoint(Kind.CORRUPT, "byte " + at, why);
  }
}
