package io.tidemark.manifests;

import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.file.FileErrorText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps a second program of the same role away from the same folder; who works on a single file
 * locks its folder. The system gives the lock back when its holder dies, so what a crash leaves
 * behind is taken over.
 */
final class FolderLock implements AutoCloseable {
  private static final int ATTEMPTS_MAX = 10;
  private static final int CONTENT_LENGTH_MAX = 200;

  /**
   * The system's lock belongs to the process and is lost when any channel of the file is closed, so
   * the process must know by itself what it holds.
   */
  private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

  private final Path path;
  private final FileChannel channel;

  private FolderLock(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
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
    if (!HELD_HERE.add(path)) {
      throw inUse(path, Long.toString(ProcessHandle.current().pid()));
    }
    try {
      return lock(path);
    } catch (IOException e) {
      HELD_HERE.remove(path);
      String detail = "cannot make the lock of " + folder + ": " + FileErrorText.of(e);
      throw new IpamException(CoreError.STORE_UNWRITABLE, detail, e);
    } catch (IpamException e) {
      HELD_HERE.remove(path);
      throw e;
    }
  }

  private static FolderLock lock(Path path) throws IOException {
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      FileChannel channel =
          FileChannel.open(
              path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
      try {
        if (channel.tryLock() == null) {
          throw inUse(path, content(channel));
        }
        channel.truncate(0);
        write(channel, ProcessHandle.current().pid() + "\n");
        if (leadsTo(path, channel)) {
          return new FolderLock(path, channel);
        }
        channel.close();
      } catch (IOException | IpamException e) {
        channel.close();
        throw e;
      }
    }
    throw new IOException("the lock file " + path + " comes and goes");
  }

  /**
   * Whether the name still leads to what was locked, as the last holder removes the file: what
   * grows under the one must grow under the other. The file must not be opened again for that,
   * because closing it would give the lock back.
   */
  private static boolean leadsTo(Path path, FileChannel channel) throws IOException {
    for (int i = 0; i < 2; i++) {
      write(channel, "\n");
      if (!Files.exists(path) || Files.size(path) != channel.size()) {
        return false;
      }
    }
    return true;
  }

  private static void write(FileChannel channel, String text) throws IOException {
    channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)), channel.size());
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
      HELD_HERE.remove(path);
    }
  }
}
