package io.tidemark.daemon;

import io.tidemark.error.IpamException;
import io.tidemark.file.FileErrorText;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.Optional;

/**
 * A lock of the operating system on a file, for one program at a time. It ends with the program,
 * however that ends; its file stays, because another program may wait for it. Every call blocks on
 * the file system.
 */
final class ProgramLock implements AutoCloseable {
  private final FileChannel channel;

  private ProgramLock(FileChannel channel) {
    this.channel = channel;
  }

  /** Takes the lock; empty when another program has it. The file is made if it is not there. */
  static Optional<ProgramLock> take(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    boolean locked = false;
    try {
      locked = channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      // Another part of this program has it.
    } finally {
      if (!locked) {
        channel.close();
      }
    }
    return locked ? Optional.of(new ProgramLock(channel)) : Optional.empty();
  }

  /**
   * Takes the lock; its folder is made if it is not there.
   *
   * @param guarded the path that one program at a time uses
   * @param program the kind of program, for people
   * @throws IpamException with {@code inUse}, or with {@code STATE_UNWRITABLE}
   */
  static ProgramLock require(Path file, Path guarded, DaemonError inUse, String program) {
    Optional<ProgramLock> lock;
    try {
      Files.createDirectories(Objects.requireNonNull(file.getParent(), "an absolute path"));
      lock = take(file);
    } catch (IOException e) {
      throw new IpamException(
          DaemonError.STATE_UNWRITABLE, guarded + " cannot be locked: " + FileErrorText.of(e), e);
    }
    return lock.orElseThrow(
        () -> new IpamException(inUse, guarded + " is in use by another " + program));
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
