package io.tidemark.manifests;

import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.file.FileErrorText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Locks of the operating system on files of a folder; who works on a single file locks its folder.
 * One keeps a second program of the same role away. The other, in a folder in which an operator and
 * agents write, lets one of them replace a file at a time: a replacement compares and renames in
 * two calls, so two at once would lose one change. The system gives a lock back when its holder
 * dies.
 */
final class FolderLock implements AutoCloseable {
  private static final String SHARED = ".tidemark.write-lock";
  private static final int ATTEMPTS_MAX = 10;
  private static final int CONTENT_LENGTH_MAX = 200;

  /** Differs from that of other processes, those of other containers with the same pid too. */
  private static final int OWN_NUMBER =
      Objects.hash(ProcessHandle.current().pid(), ProcessHandle.current().info().startInstant());

  /**
   * The system's lock belongs to the process and is lost when any channel of the file is closed, so
   * the process must know by itself what it holds.
   */
  private static final Map<Path, Semaphore> HERE = new ConcurrentHashMap<>();

  private final Path path;
  private final FileChannel channel;

  private FolderLock(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

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
    Semaphore here = here(path);
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

  private static Semaphore here(Path path) {
    return HERE.computeIfAbsent(path, any -> new Semaphore(1));
  }

  /** The name of the lock of a role in its folder. */
  static String name(String role) {
    return ".tidemark" + (role.isEmpty() ? "" : "-" + role) + ".lock";
  }

  /**
   * Locks a folder for a role. Throws {@code STORE_IN_USE}, naming the process, or {@code
   * STORE_UNWRITABLE}.
   */
  static FolderLock take(Path folder, String role) {
    Path path = folder.resolve(name(role));
    if (!here(path).tryAcquire()) {
      throw inUse(path, Long.toString(ProcessHandle.current().pid()));
    }
    try {
      return lock(path);
    } catch (IOException e) {
      here(path).release();
      String detail = "cannot make the lock of " + folder + ": " + FileErrorText.of(e);
      throw new IpamException(CoreError.STORE_UNWRITABLE, detail, e);
    } catch (IpamException e) {
      here(path).release();
      throw e;
    }
  }

  /**
   * The last holder removes the file, so its name must still lead to what was locked; the length
   * tells, because to open the file again and close it would give the lock back.
   */
  private static FolderLock lock(Path path) throws IOException {
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      FileChannel channel =
          FileChannel.open(
              path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
      try {
        if (channel.tryLock() == null) {
          throw inUse(path, content(channel));
        }
        String lines = "\n".repeat(1 + Math.floorMod(OWN_NUMBER, 10_000));
        String text = ProcessHandle.current().pid() + lines;
        channel.truncate(0).write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
        if (Files.exists(path) && Files.size(path) == channel.size()) {
          return new FolderLock(path, channel);
        }
      } catch (IOException | IpamException e) {
        channel.close();
        throw e;
      }
      channel.close();
    }
    throw new IOException("the lock file " + path + " comes and goes");
  }

  private static String content(FileChannel channel) throws IOException {
    ByteBuffer content = ByteBuffer.allocate(CONTENT_LENGTH_MAX);
    channel.read(content, 0);
    return new String(content.array(), 0, content.position(), StandardCharsets.US_ASCII);
  }

  private static IpamException inUse(Path path, String content) {
    String pid = content.replaceFirst("(?s)[^0-9].*", "");
    String holder = pid.isEmpty() ? "another process" : "the process " + pid;
    return new IpamException(
        CoreError.STORE_IN_USE,
        path.getParent() + " is in use by " + holder + ", which holds " + path);
  }

  /** Gives the lock back; called once. */
  @Override
  public void close() throws IOException {
    try (channel) {
      Files.deleteIfExists(path);
    } finally {
      here(path).release();
    }
  }
}
