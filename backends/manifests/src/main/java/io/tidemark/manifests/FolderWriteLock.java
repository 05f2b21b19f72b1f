package io.tidemark.manifests;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One replacement at a time of a file, and, in a folder in which an operator and agents write, of
 * all its files: a replacement compares and renames in two calls, so two at once would lose one
 * change. In such a folder it is a lock of the operating system on a file that the first agent
 * creates and that stays.
 *
 * <p>An operator whose replacement is under way while the first agent creates the file does not
 * hold the lock.
 */
final class FolderWriteLock {
  private static final String NAME = ".tidemark.write-lock";

  /** The system's lock belongs to the process, so its threads wait here first. */
  private static final Map<Path, ReentrantLock> HERE = new ConcurrentHashMap<>();

  private FolderWriteLock() {}

  /** The work under the lock. */
  @FunctionalInterface
  interface Work<T> {
    T call() throws IOException;
  }

  /** From now on writers in a folder take the lock. */
  static void share(Path folder) throws IOException {
    try {
      Files.createFile(folder.resolve(NAME));
    } catch (FileAlreadyExistsException e) {
      return;
    }
  }

  /** Waits for the lock of a file, or of the folder if it is shared, and works under it. */
  static <T> T take(Path target, Work<T> work) throws IOException {
    Path file = target.resolveSibling(NAME);
    boolean shared = Files.isWritable(file);
    ReentrantLock here = HERE.computeIfAbsent(shared ? file : target, any -> new ReentrantLock());
    try {
      here.lockInterruptibly();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while it waited for the lock of " + target);
    }
    try {
      if (!shared) {
        return work.call();
      }
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.lock();
        return work.call();
      }
    } finally {
      here.unlock();
    }
  }
}
