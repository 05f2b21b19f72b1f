package io.tidemark.daemon;

import io.tidemark.error.IpamException;
import io.tidemark.file.FileErrorText;
import io.tidemark.file.ProgramLock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** The lock of a program on its state; its file stays, because another program may wait for it. */
final class StateLock {
  private StateLock() {}

  /**
   * Takes the lock; its folder is made if it is not there. Blocks on the file system.
   *
   * @param guarded the path that one program at a time uses
   * @param program the kind of program, for people
   * @throws IpamException with {@code inUse}, or with {@code STATE_UNWRITABLE}
   */
  static ProgramLock require(Path file, Path guarded, DaemonError inUse, String program) {
    try {
      Files.createDirectories(Objects.requireNonNull(file.getParent(), "an absolute path"));
      return ProgramLock.take(file);
    } catch (ProgramLock.InUse e) {
      throw new IpamException(inUse, guarded + " is in use by another " + program, e);
    } catch (IOException e) {
      throw new IpamException(
          DaemonError.STATE_UNWRITABLE, guarded + " cannot be locked: " + FileErrorText.of(e), e);
    }
  }
}
