package io.tidemark.manifests;

import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.file.FileErrorText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps a second program of the same role away from the same files. The system gives the lock back
 * when its holder dies, so what a crash leaves behind is taken over.
 *
 * <p>A directory is locked by one file in it, a single file by a file beside it. Whoever takes
 * either looks for the other kind as well: two programs may work on two files of a directory, none
 * beside one that works on all of it.
 */
final class FolderLock implements AutoCloseable {
  private static final String NAME = ".tidemark";
  private static final String END = ".lock";

  private static final Set<OpenOption> OWN =
      Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
  private static final Set<OpenOption> OTHERS =
      Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE);
  private static final int ATTEMPTS_MAX = 10;
  private static final int CONTENT_LENGTH_MAX = 200;

  /**
   * The system's lock belongs to the process and is lost when any channel of the file is closed, so
   * the process must know by itself what it holds.
   */
  private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

  private final Path path;
  private final FileChannel channel;
  private boolean held = true;

  private FolderLock(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  /**
   * Locks a directory, or a single file, for a role. Throws {@code STORE_IN_USE}, naming the
   * process, or {@code STORE_UNWRITABLE}.
   */
  static FolderLock take(Path folder, boolean directory, String role) {
    Path around = directory ? folder : parent(folder);
    String name = name(role);
    Path own = around.resolve(directory ? name : "." + folder.getFileName() + name);
    try {
      FolderLock lock = take(folder, own);
      try {
        for (Path other : directory ? locksOfFiles(around, name) : List.of(around.resolve(name))) {
          refuseIfHeld(folder, other);
        }
        return lock;
      } catch (IOException | IpamException e) {
        lock.close();
        throw e;
      }
    } catch (IOException e) {
      String detail = "cannot make the lock of " + folder + ": " + FileErrorText.of(e);
      throw new IpamException(CoreError.STORE_UNWRITABLE, detail, e);
    }
  }

  private static FolderLock take(Path folder, Path path) throws IOException {
    if (!HELD_HERE.add(path)) {
      throw inUse(folder, path, token());
    }
    try {
      return lock(folder, path);
    } catch (IOException | IpamException e) {
      HELD_HERE.remove(path);
      throw e;
    }
  }

  private static FolderLock lock(Path folder, Path path) throws IOException {
    byte[] token = token();
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      FileChannel channel = FileChannel.open(path, OWN);
      if (channel.tryLock() == null) {
        try (channel) {
          throw inUse(folder, path, content(channel));
        }
      }
      try {
        channel.truncate(0);
        channel.write(ByteBuffer.wrap(token), 0);
        if (leadsTo(path, channel)) {
          return new FolderLock(path, channel);
        }
      } catch (IOException e) {
        try (channel) {
          removeEmpty(path);
        }
        throw e;
      }
      channel.close();
    }
    throw new IOException("the lock file " + path + " comes and goes");
  }

  /** Leaves nothing behind where nothing could be written; what another wrote stays. */
  private static void removeEmpty(Path path) throws IOException {
    if (Files.exists(path) && Files.size(path) == 0) {
      Files.delete(path);
    }
  }

  /**
   * Whether the name still leads to what was locked, as the last holder removes the file: what
   * grows under the one must grow under the other. The file must not be opened again for that,
   * because closing it would give the lock back.
   */
  private static boolean leadsTo(Path path, FileChannel channel) throws IOException {
    for (int i = 0; i < 2; i++) {
      channel.write(ByteBuffer.wrap(new byte[] {'\n'}), channel.size());
      if (!Files.exists(path) || Files.size(path) != channel.size()) {
        return false;
      }
    }
    return true;
  }

  private static void refuseIfHeld(Path folder, Path path) throws IOException {
    if (HELD_HERE.contains(path)) {
      throw inUse(folder, path, token());
    }
    try (FileChannel channel = FileChannel.open(path, OTHERS)) {
      FileLock lock = channel.tryLock();
      if (lock == null) {
        throw inUse(folder, path, content(channel));
      }
      lock.release();
    } catch (NoSuchFileException e) {
      return;
    }
  }

  private static List<Path> locksOfFiles(Path directory, String name) throws IOException {
    List<Path> locks = new ArrayList<>();
    DirectoryStream.Filter<Path> wanted = file -> file.toString().endsWith(name);
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory, wanted)) {
      stream.forEach(locks::add);
    }
    locks.remove(directory.resolve(name));
    return locks;
  }

  /** The name of the lock of a role in a directory. */
  static String name(String role) {
    return NAME + (role.isEmpty() ? "" : "-" + role) + END;
  }

  private static IpamException inUse(Path folder, Path path, byte[] token) {
    String pid = new String(token, StandardCharsets.US_ASCII).replaceFirst("(?s)[^0-9].*", "");
    String holder = pid.isEmpty() ? "another process" : "the process " + pid;
    return new IpamException(
        CoreError.STORE_IN_USE, folder + " is in use by " + holder + ", which holds " + path);
  }

  private static byte[] content(FileChannel channel) throws IOException {
    ByteBuffer content = ByteBuffer.allocate(CONTENT_LENGTH_MAX);
    channel.read(content, 0);
    return Arrays.copyOf(content.array(), content.position());
  }

  private static byte[] token() {
    ProcessHandle self = ProcessHandle.current();
    String start = self.info().startInstant().map(Instant::toString).orElse("");
    return (self.pid() + " " + start + "\n").getBytes(StandardCharsets.US_ASCII);
  }

  private static Path parent(Path file) {
    return Objects.requireNonNull(file.toAbsolutePath().getParent(), "a file has a parent");
  }

  /** Gives the lock back. Idempotent. */
  @Override
  public void close() throws IOException {
    if (held) {
      held = false;
      try (channel) {
        Files.deleteIfExists(path);
      } finally {
        HELD_HERE.remove(path);
      }
    }
  }
}
