package io.tidemark.file;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * A lock of the operating system on a file, for one part of one program at a time. It ends with the
 * program, however that ends. Every call blocks on the file system.
 *
 * <p>The system's lock belongs to the process and is lost when any channel of the file is closed,
 * so the process must know by itself what it holds.
 */
public final class ProgramLock implements AutoCloseable {
  private static final int ATTEMPTS_MAX = 10;
  private static final int CONTENT_LENGTH_MAX = 200;
  private static final long PID = ProcessHandle.current().pid();

  /** Differs from that of other processes, those of other containers with the same pid too. */
  private static final int OWN_NUMBER =
      Objects.hash(PID, ProcessHandle.current().info().startInstant());

  private static final Set<Path> HERE = ConcurrentHashMap.newKeySet();
  private static final Map<Path, Semaphore> TURNS = new ConcurrentHashMap<>();

  private final Path file;
  private final FileChannel channel;

  private ProgramLock(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /** The work under a lock. */
  @FunctionalInterface
  public interface Work<T> {
    T call() throws IOException;
  }

  /** Another program, or another part of this one, has the lock; the message says which. */
  public static final class InUse extends IOException {
    private static final long serialVersionUID = 1L;

    private InUse(String pid) {
      super(pid.isEmpty() ? "another process" : "the process " + pid);
    }
  }

  /**
   * Works while nobody else does in this process and, if the file is there and may be written, in
   * any other; waits for its turn. The file is no other lock's, and stays as it is.
   */
  public static <T> T during(Path file, Work<T> work) throws IOException {
    Path key = file.toAbsolutePath().normalize();
    Semaphore turn = TURNS.computeIfAbsent(key, any -> new Semaphore(1));
    turn.acquireUninterruptibly();
    try (@Nullable FileChannel shared =
        Files.isWritable(file) ? FileChannel.open(file, StandardOpenOption.WRITE) : null) {
      if (shared != null) {
        shared.lock();
      }
      return work.call();
    } finally {
      turn.release();
    }
  }

  /**
   * Takes a lock whose file stays; it is made if it is not there. Nothing is written into it, so
   * that the lock can be taken on a full disk.
   *
   * @param file in a folder that exists
   */
  public static ProgramLock take(Path file) throws IOException {
    return take(file, false);
  }

  /** As {@link #take}, of a file that names the process, and that holders may remove. */
  public static ProgramLock takeNamed(Path file) throws IOException {
    return take(file, true);
  }

  private static ProgramLock take(Path file, boolean named) throws IOException {
    Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent(), "the folder of a file");
    Path real = folder.toRealPath().resolve(file.getFileName());
    if (!HERE.add(real)) {
      throw new InUse(Long.toString(PID));
    }
    try {
      return new ProgramLock(real, lock(real, named));
    } catch (IOException e) {
      HERE.remove(real);
      throw e;
    }
  }

  /**
   * A holder may remove a named file, so its name must still lead to what was locked; the length
   * tells, because to open the file again and close it would give the lock back.
   */
  private static FileChannel lock(Path file, boolean named) throws IOException {
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      FileChannel channel =
          FileChannel.open(
              file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
      try {
        if (channel.tryLock() == null) {
          byte[] content = Channels.newInputStream(channel).readNBytes(CONTENT_LENGTH_MAX);
          throw new InUse(new String(content, US_ASCII).replaceFirst("(?s)[^0-9].*", ""));
        }
        if (!named) {
          return channel;
        }
        String text = PID + "\n".repeat(1 + Math.floorMod(OWN_NUMBER, 10_000));
        channel.truncate(0).write(US_ASCII.encode(text));
        if (Files.exists(file) && Files.size(file) == channel.size()) {
          return channel;
        }
      } catch (OverlappingFileLockException e) {
        channel.close();
        throw new InUse(Long.toString(PID));
      } catch (IOException e) {
        channel.close();
        throw e;
      }
      channel.close();
    }
    throw new IOException("the lock file " + file + " comes and goes");
  }

  /** Gives the lock back and removes the file, where that is possible; called once. */
  public void remove() {
    try (channel) {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // A file that stays behind harms nobody: it is not the lock.
    } finally {
      HERE.remove(file);
    }
  }

  /** Gives the lock back; called once. The file stays. */
  @Override
  public void close() throws IOException {
    try {
      channel.close();
    } finally {
      HERE.remove(file);
    }
  }
}
