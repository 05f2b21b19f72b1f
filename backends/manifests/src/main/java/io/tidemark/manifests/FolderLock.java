package io.tidemark.manifests;

import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.file.FileErrorText;
import io.tidemark.file.ProgramLock;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Locks of the operating system on files of a folder; who works on a single file locks its folder.
 * One keeps a second program of the same role away. The other, in a folder in which an operator and
 * agents write, lets one of them replace a file at a time: a replacement compares and renames in
 * two calls, so two at once would lose one change.
 */
final class FolderLock {
  private static final String SHARED = ".tidemark.write-lock";

  /** The system's lock belongs to the process, so its threads take turns by themselves. */
  private static final Map<Path, Semaphore> HERE = new ConcurrentHashMap<>();

  private FolderLock() {}

  /** The work under a lock. */
  @FunctionalInterface
  interface Work<T> {
    T call() throws IOException;
  }

  /** From now on writers in a folder wait for each other; the lock file stays. */
  static void share(Path folder) throws IOException {
    try {
      Files.createFile(folder.resolve(SHARED));
    } catch (FileAlreadyExistsException e) {
      return;
    }
  }

  /** Works while nobody else does in this process and, if the folder is shared, in any other. */
  static <T> T during(Path folder, Work<T> work) throws IOException {
    Path path = folder.resolve(SHARED);
    Semaphore here = HERE.computeIfAbsent(path, any -> new Semaphore(1));
    here.acquireUninterruptibly();
    try (@Nullable FileChannel shared =
        Files.isWritable(path) ? FileChannel.open(path, StandardOpenOption.WRITE) : null) {
      if (shared != null) {
        shared.lock();
      }
      return work.call();
    } finally {
      here.release();
    }
  }

  static String name(String role) {
    return ".tidemark" + (role.isEmpty() ? "" : "-" + role) + ".lock";
  }

  /**
   * Locks a folder for a role; the result gives the lock back. Throws {@code STORE_IN_USE}, naming
   * the process, or {@code STORE_UNWRITABLE}.
   */
  static Runnable take(Path folder, String role) {
    Path path = folder.resolve(name(role));
    try {
      return ProgramLock.take(path)::remove;
    } catch (ProgramLock.InUse e) {
      String detail = folder + " is in use by " + e.getMessage() + ", which holds " + path;
      throw new IpamException(CoreError.STORE_IN_USE, detail, e);
    } catch (IOException e) {
      String detail = "cannot make the lock of " + folder + ": " + FileErrorText.of(e);
      throw new IpamException(CoreError.STORE_UNWRITABLE, detail, e);
    }
  }
}
