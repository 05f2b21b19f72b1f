package io.tidemark.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The disk. */
public final class DiskFiles implements FilePort {
  private static final Set<PosixFilePermission> OWNER_ALONE =
      Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  @Override
  public List<String> list(Path directory) throws IOException {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
      for (Path each : stream) {
        names.add(each.getFileName().toString());
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return names;
  }

  @Override
  public boolean isDirectory(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class).isDirectory();
  }

  @Override
  public Path realPath(Path path) throws IOException {
    return path.toRealPath();
  }

  @Override
  public FileStamp stamp(Path file) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
    return new FileStamp(
        attributes.isRegularFile(),
        String.valueOf(attributes.fileKey()),
        attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS),
        attributes.size());
  }

  @Override
  public OpenFile open(Path file) throws IOException {
    FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
    return new OpenFile() {
      @Override
      public byte[] read(int max) throws IOException {
        return readAll(channel, max);
      }

      @Override
      public void close() throws IOException {
        channel.close();
      }
    };
  }

  private static byte[] readAll(FileChannel channel, int max) throws IOException {
    long size = channel.size();
    if (size > max) {
      throw new FileTooLarge(max);
    }
    ByteBuffer content = ByteBuffer.allocate((int) size + 1);
    while (true) {
      int read = channel.read(content, content.position());
      if (read < 0) {
        return Arrays.copyOf(content.array(), content.position());
      }
      if (content.position() > max) {
        throw new FileTooLarge(max);
      }
      if (!content.hasRemaining()) {
        content = ByteBuffer.allocate(2 * content.capacity()).put(content.flip());
      }
    }
  }

  @Override
  public void write(Path file, byte[] content, Path like) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.WRITE,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      takeOwnership(file, like);
      writeAll(channel, content);
    }
  }

  @Override
  public void write(Path file, byte[] content) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.WRITE,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
      if (view != null) {
        view.setPermissions(OWNER_ALONE);
      }
      writeAll(channel, content);
    }
  }

  private static void writeAll(FileChannel channel, byte[] content) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(content);
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
    channel.force(true);
  }

  /** Permissions always; owner and group where this user may give them. */
  private static void takeOwnership(Path file, Path like) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    if (view == null) {
      return;
    }
    PosixFileAttributes wanted = Files.readAttributes(like, PosixFileAttributes.class);
    PosixFileAttributes had = view.readAttributes();
    try {
      if (!had.group().equals(wanted.group())) {
        view.setGroup(wanted.group());
      }
      if (!had.owner().equals(wanted.owner())) {
        view.setOwner(wanted.owner());
      }
    } catch (IOException e) {
      // An unprivileged user cannot give files away; the content is what counts.
      view.setPermissions(wanted.permissions());
      return;
    }
    view.setPermissions(wanted.permissions());
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public boolean link(Path file, Path second) throws IOException {
    try {
      Files.deleteIfExists(second);
      Files.createLink(second, file);
      return true;
    } catch (NoSuchFileException e) {
      throw e;
    } catch (UnsupportedOperationException | FileSystemException e) {
      return false;
    }
  }

  @Override
  public void sync(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (AccessDeniedException e) {
      // Systems that cannot open directories make names durable by themselves.
      if (Files.getFileAttributeView(directory, PosixFileAttributeView.class) != null) {
        throw e;
      }
    }
  }

  @Override
  public void delete(Path file) throws IOException {
    Files.deleteIfExists(file);
  }
}
