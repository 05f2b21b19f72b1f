package io.tidemark.file;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The disk, with something that happens before each call. */
public final class HookedFiles implements FilePort {
  /** The action before a call. */
  public interface Hook {
    /** {@code content} is what a write would write, and empty otherwise. */
    void before(String call, Path path, byte[] content) throws IOException;
  }

  private static final byte[] NONE = {};

  private final FilePort disk = new DiskFiles();
  private Runnable afterRead = () -> {};
  private Hook hook = (call, path, content) -> {};

  /** Runs once, after the next read. */
  public void afterRead(Runnable next) {
    afterRead = next;
  }

  public void hook(Hook next) {
    hook = next;
  }

  @Override
  public List<String> list(Path directory) throws IOException {
    hook.before("list", directory, NONE);
    return disk.list(directory);
  }

  @Override
  public boolean isDirectory(Path path) throws IOException {
    return disk.isDirectory(path);
  }

  @Override
  public Path realPath(Path path) throws IOException {
    hook.before("realPath", path, NONE);
    return disk.realPath(path);
  }

  @Override
  public FileStamp stamp(Path file) throws IOException {
    hook.before("stamp", file, NONE);
    return disk.stamp(file);
  }

  @Override
  public OpenFile open(Path file) throws IOException {
    hook.before("open", file, NONE);
    OpenFile open = disk.open(file);
    return new OpenFile() {
      @Override
      public byte[] read(int max) throws IOException {
        hook.before("read", file, NONE);
        byte[] content = open.read(max);
        Runnable once = afterRead;
        afterRead = () -> {};
        once.run();
        return content;
      }

      @Override
      public void close() throws IOException {
        open.close();
      }
    };
  }

  @Override
  public void write(Path file, byte[] content, Path like) throws IOException {
    hook.before("write", file, content);
    disk.write(file, content, like);
  }

  @Override
  public void write(Path file, byte[] content) throws IOException {
    hook.before("write", file, content);
    disk.write(file, content);
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    hook.before("rename", to, NONE);
    disk.rename(from, to);
  }

  @Override
  public boolean link(Path file, Path second) throws IOException {
    hook.before("link", second, NONE);
    return disk.link(file, second);
  }

  @Override
  public void sync(Path directory) throws IOException {
    hook.before("sync", directory, NONE);
    disk.sync(directory);
  }

  @Override
  public void delete(Path file) throws IOException {
    hook.before("delete", file, NONE);
    disk.delete(file);
  }
}
