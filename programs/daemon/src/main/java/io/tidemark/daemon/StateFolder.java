package io.tidemark.daemon;

import io.tidemark.error.IpamException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The folder of what an agent keeps over a restart, locked: two agents of one folder would give the
 * same addresses twice. Every call blocks on the file system.
 */
final class StateFolder implements AutoCloseable {
  private static final String LOCK = "agent.lock";
  private static final String STATE = "attachments.json";

  private final Path folder;
  private final ProgramLock lock;

  private StateFolder(Path folder, ProgramLock lock) {
    this.folder = folder;
    this.lock = lock;
  }

  /**
   * Makes the folder if it is not there, and locks it.
   *
   * @throws IpamException with {@code STATE_IN_USE} or {@code STATE_UNWRITABLE}
   */
  static StateFolder open(Path folder) {
    Optional<ProgramLock> lock;
    try {
      Files.createDirectories(folder);
      lock = ProgramLock.take(folder.resolve(LOCK));
    } catch (IOException e) {
      throw new IpamException(DaemonError.STATE_UNWRITABLE, folder + " cannot be locked: " + e, e);
    }
    return lock.map(it -> new StateFolder(folder, it))
        .orElseThrow(
            () ->
                new IpamException(
                    DaemonError.STATE_IN_USE, folder + " is in use by another agent"));
  }

  /** The file in it. */
  Path file() {
    return folder.resolve(STATE);
  }

  /** Gives the lock back. */
  @Override
  public void close() throws IOException {
    lock.close();
  }
}
