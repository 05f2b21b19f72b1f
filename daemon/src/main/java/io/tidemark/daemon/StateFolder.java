package io.tidemark.daemon;

import io.tidemark.error.IpamException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The folder of what an agent keeps over a restart, locked: two agents of one folder would give the
 * same addresses twice. Every call blocks on the file system.
 */
final class StateFolder implements AutoCloseable {
  private static final String LOCK = "agent.lock";
  private static final String STATE = "attachments.json";

  private final Path folder;
  private final FileChannel lock;

  private StateFolder(Path folder, FileChannel lock) {
    this.folder = folder;
    this.lock = lock;
  }

  /**
   * Makes the folder if it is not there, and locks it.
   *
   * @throws IpamException with {@code STATE_IN_USE} or {@code STATE_UNWRITABLE}
   */
  static StateFolder open(Path folder) {
    try {
      Files.createDirectories(folder);
      FileChannel channel =
          FileChannel.open(
              folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (!isLocked(channel)) {
        channel.close();
        throw new IpamException(DaemonError.STATE_IN_USE, folder + " is in use by another agent");
      }
      return new StateFolder(folder, channel);
    } catch (IOException e) {
      throw new IpamException(DaemonError.STATE_UNWRITABLE, folder + " cannot be locked: " + e, e);
    }
  }

  private static boolean isLocked(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  /** The file in it. */
  Path file() {
    return folder.resolve(STATE);
  }

  /** Gives the lock back; the lock's file stays, because another agent may wait for it. */
  @Override
  public void close() throws IOException {
    lock.close();
  }
}
