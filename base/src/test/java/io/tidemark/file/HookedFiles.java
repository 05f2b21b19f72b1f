package io.tidemark.file;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The disk, with something that happens before each call. */
public final class HookedFiles implements FilePort {
  /** What happens before a call. */
  public interface Hook {
    /** {@code content} is what a write would write, and empty otherwise. */
    void before(String call, Path path, byte[] content) throws IOException;
  }

  private static final byte[] NONE = {};

  private static final long LONG_AGO_NANOS = Duration.ofDays(36_500).toNanos();

  private final Map<Path, Long> modifiedNanos = new HashMap<>();
  private boolean finished;
  private final FilePort disk = new DiskFiles();
  private Runnable afterRead = () -> {};
  private Hook hook = (call, path, content) -> {};

  /** What happens once, after the next read. */
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
    FileStamp real = disk.stamp(file);
    Long modified = modifiedNanos.get(file);
    long shown = modified == null ? real.modifiedNanos() - LONG_AGO_NANOS : modified;
    return new FileStamp(real.regular(), real.key(), shown, real.size());
  }

  /** When a file was modified by the clock of the test; without it that is long ago. */
  public void modified(Path file, long nanos) {
    modifiedNanos.put(file, nanos);
  }

  /** Whether files show that their writers have ended. */
  public void finished(boolean shown) {
    finished = shown;
  }

  @Override
  public boolean isFinished(Path file) {
    return finished;
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
  public void append(Path file, long at, byte[] content) throws IOException {
    hook.before("append", file, content);
    disk.append(file, at, content);
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    hook.before("rename", to, NONE);
    disk.rename(from, to);
  }

  @Override
  public boolean replace(Path from, Path to, Path aside) throws IOException {
    hook.before("replace", to, NONE);
    boolean kept = disk.replace(from, to, aside);
    Long modified = modifiedNanos.remove(to);
    if (kept && modified != null) {
      modifiedNanos.put(aside, modified);
    }
    return kept;
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
