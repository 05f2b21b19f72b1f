package io.tidemark.file;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Files in memory that record each change, fail or end the program at a chosen one, and can lose
 * what was not forced. Content is forced by {@code write}, names by {@code sync}. Thread-safe.
 */
public final class CrashingFiles implements FilePort {
  /** The event at the chosen change. */
  public enum Fault {
    /** It fails, and nothing changes. */
    FAILS,
    /** It fails; of a content a part is written. */
    FAILS_INSIDE,
    /** The program ends before it. */
    CRASH_BEFORE,
    /** The program ends within it: of a content only a part is written. */
    CRASH_INSIDE,
    /** The program ends after it. */
    CRASH_AFTER
  }

  /** The program has ended. */
  public static final class Crash extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** Sees what a crash would leave at each instant. */
  public interface Watcher {
    /**
     * A crash could happen now.
     *
     * @param left a copy of the files
     */
    void crash(String point, CrashingFiles left);
  }

  private interface Change {
    void make() throws IOException;
  }

  private final Map<Path, byte[]> files = new HashMap<>();
  private final Map<Path, byte[]> durable = new HashMap<>();
  private final List<String> changes = new ArrayList<>();
  private int faultAt = -1;
  private Fault fault = Fault.FAILS;
  private int written;
  private @Nullable Watcher watcher;
  private int watchedBytes = 1;

  /** The change number {@code number}, counted from 0, does not succeed. */
  public synchronized void fault(int number, Fault kind, int writtenBytes) {
    faultAt = number;
    fault = kind;
    written = writtenBytes;
  }

  /**
   * Shows what is left before and after each change, and within a write.
   *
   * @param everyBytes of what is written the watcher sees each so many
   */
  public synchronized void watch(Watcher by, int everyBytes) {
    watcher = by;
    watchedBytes = everyBytes;
  }

  /** The same files, without faults and watcher. */
  public synchronized CrashingFiles copy() {
    CrashingFiles copy = new CrashingFiles();
    copy.files.putAll(files);
    copy.durable.putAll(durable);
    return copy;
  }

  private void show(String point) {
    if (watcher != null) {
      watcher.crash(point, copy());
    }
  }

  /** After each of the first bytes. */
  private void showWithin(Path file, byte[] content) {
    if (watcher != null) {
      for (int bytes = 0; bytes < content.length; bytes += watchedBytes) {
        CrashingFiles left = copy();
        left.files.put(file, Arrays.copyOf(content, bytes));
        watcher.crash("within write", left);
      }
    }
  }

  /** The calls that change something, such as {@code write .state.json.tidemark-new}. */
  public synchronized List<String> changes() {
    return List.copyOf(changes);
  }

  /** The names of all files. */
  public synchronized Set<Path> names() {
    return Set.copyOf(files.keySet());
  }

  /** The program that ended starts again. */
  public synchronized void restart() {
    faultAt = -1;
  }

  /** The machine loses power and starts again: of each name that was not forced either state. */
  public synchronized void losePower(RandomGenerator random) {
    Set<Path> all = new HashSet<>(files.keySet());
    all.addAll(durable.keySet());
    for (Path each : all.stream().sorted().toList()) {
      if (random.nextBoolean()) {
        put(files, each, durable.get(each));
      }
    }
    durable.clear();
    durable.putAll(files);
    restart();
  }

  private static void put(Map<Path, byte[]> map, Path file, byte @Nullable [] content) {
    if (content == null) {
      map.remove(file);
    } else {
      map.put(file, content);
    }
  }

  private void change(String call, Path file, Change change) throws IOException {
    int number = changes.size();
    changes.add(call + " " + file.getFileName());
    if (number != faultAt) {
      show("before " + call);
      change.make();
      show("after " + call);
      return;
    }
    switch (fault) {
      case FAILS, FAILS_INSIDE -> throw new IOException("no space left");
      case CRASH_BEFORE, CRASH_INSIDE -> throw new Crash();
      case CRASH_AFTER -> {
        change.make();
        throw new Crash();
      }
    }
  }

  @Override
  public synchronized void write(Path file, byte[] content) throws IOException {
    leavePart(file, content);
    showWithin(file, content);
    change("write", file, () -> files.put(file, content.clone()));
  }

  private void leavePart(Path file, byte[] content) {
    if (changes.size() == faultAt && (fault == Fault.CRASH_INSIDE || fault == Fault.FAILS_INSIDE)) {
      files.put(file, Arrays.copyOf(content, Math.min(written, content.length)));
    }
  }

  @Override
  public synchronized void write(Path file, byte[] content, Path like) throws IOException {
    write(file, content);
  }

  @Override
  public synchronized void rename(Path from, Path to) throws IOException {
    change(
        "rename",
        to,
        () -> {
          byte[] content = files.remove(from);
          if (content == null) {
            throw new NoSuchFileException(from.toString());
          }
          files.put(to, content);
        });
  }

  @Override
  public synchronized boolean link(Path file, Path second) throws IOException {
    if (!files.containsKey(file)) {
      throw new NoSuchFileException(file.toString());
    }
    change("link", second, () -> files.put(second, content(file)));
    return true;
  }

  @Override
  public synchronized void sync(Path directory) throws IOException {
    change(
        "sync",
        directory,
        () -> {
          durable.clear();
          durable.putAll(files);
        });
  }

  @Override
  public synchronized void delete(Path file) throws IOException {
    change("delete", file, () -> files.remove(file));
  }

  @Override
  public synchronized List<String> list(Path directory) {
    List<String> names = new ArrayList<>();
    files.keySet().forEach(each -> names.add(each.getFileName().toString()));
    Collections.sort(names);
    return names;
  }

  @Override
  public boolean isDirectory(Path path) {
    return false;
  }

  @Override
  public Path realPath(Path path) {
    return path;
  }

  @Override
  public synchronized FileStamp stamp(Path file) throws IOException {
    byte[] content = content(file);
    return new FileStamp(
        true, Integer.toString(System.identityHashCode(content)), 0, content.length);
  }

  @Override
  public synchronized OpenFile open(Path file) throws IOException {
    byte[] content = content(file);
    return new OpenFile() {
      @Override
      public byte[] read(int max) throws IOException {
        if (content.length > max) {
          throw new FileTooLarge(max);
        }
        return content.clone();
      }

      @Override
      public void close() {}
    };
  }

  private byte[] content(Path file) throws NoSuchFileException {
    byte[] content = files.get(file);
    if (content == null) {
      throw new NoSuchFileException(file.toString());
    }
    return content;
  }
}
