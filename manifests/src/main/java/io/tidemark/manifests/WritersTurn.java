package io.tidemark.manifests;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One replacement at a time in a folder in which an operator and agents write: a replacement
 * compares and renames in two calls, so two at once would lose one change. The turn is a lock of
 * the system on a file that the first agent makes and that stays; without that file nobody shares.
 *
 * <p>An operator whose replacement is under way at the moment at which the first agent makes the
 * file does not have the turn yet.
 */
final class WritersTurn {
  private static final String NAME = ".tidemark.turn";

  /** The system's lock belongs to the process, so its threads take turns here first. */
  private static final Map<Path, ReentrantLock> HERE = new ConcurrentHashMap<>();

  private WritersTurn() {}

  /** What is done in the turn. */
  @FunctionalInterface
  interface Work<T> {
    T call() throws IOException, TextFault;
  }

  /** From now on writers in a folder take turns. */
  static void share(Path folder) throws IOException {
    try {
      Path unused = Files.createFile(folder.resolve(NAME));
    } catch (FileAlreadyExistsException e) {
      return;
    }
  }

  /** Waits for the turn in a folder, if it is shared, and works in it. */
  static <T> T take(Path folder, Work<T> work) throws IOException, TextFault {
    Path file = folder.resolve(NAME);
    if (!Files.exists(file)) {
      return work.call();
    }
    ReentrantLock here = HERE.computeIfAbsent(file, any -> new ReentrantLock());
    try {
      here.lockInterruptibly();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted before its turn in " + folder);
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      FileLock unusedUntilClosed = channel.lock();
      return work.call();
    } finally {
      here.unlock();
    }
  }
}
