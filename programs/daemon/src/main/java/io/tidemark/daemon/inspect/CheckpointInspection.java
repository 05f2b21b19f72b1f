package io.tidemark.daemon.inspect;

import io.tidemark.datastore.checkpoint.CheckpointData;
import io.tidemark.datastore.checkpoint.CheckpointData.Extension;
import io.tidemark.datastore.checkpoint.CheckpointEntry;
import io.tidemark.datastore.checkpoint.CheckpointFile;
import io.tidemark.datastore.checkpoint.IpamKey;
import io.tidemark.file.AtomicFile;
import io.tidemark.file.FilePort;
import io.tidemark.ip.IpAddress;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * The file of a datastore, what is beside it, and what a start makes of them.
 *
 * @param file its path
 * @param current its content
 * @param previous the content before the last write
 * @param entries the assignments, in the order of their addresses
 * @param cooling the addresses that were released, in the order of the file
 * @param beside names of files that writers left
 * @param restart what a start does, a sentence each
 */
public record CheckpointInspection(
    Path file,
    FileContent current,
    FileContent previous,
    List<Entry> entries,
    List<Cooling> cooling,
    List<String> beside,
    List<String> restart) {
  /** How an assignment stands. */
  public enum State {
    ASSIGNED,
    /** A newer assignment has the same address. */
    DUPLICATE,
    /** The node did not have the address when the file was written. */
    ORPHAN
  }

  /** An assignment; not to whom. */
  public record Entry(CheckpointEntry entry, IpAddress address, State state) {
    /** Whether it was read from the container runtime, in phases 1 and 2 of the AWS VPC CNI. */
    public boolean fromRuntime() {
      return entry.key().networkName().equals(IpamKey.MIGRATED_NETWORK);
    }
  }

  /**
   * An address that was released.
   *
   * @param left how long it still cools; zero when that is over
   */
  public record Cooling(IpAddress address, long releasedEpochNanos, Duration left) {}

  /** The assumptions of an inspection: the time, the cooldown, and the boot of the machine. */
  public record Circumstances(long epochMillis, Duration cooldown, String bootId) {}

  /**
   * Looks at a file; changes nothing. Blocks on the file system.
   *
   * @throws IOException when a file cannot be read at all
   */
  public static CheckpointInspection of(Path path, FilePort files, Circumstances now)
      throws IOException {
    AtomicFile file = AtomicFile.keepingPrevious(path, files);
    FileContent current = FileContent.of(file.path(), file.read(CheckpointFile.BYTES_MAX));
    FileContent previous = FileContent.of(file.path(), file.readPrevious(CheckpointFile.BYTES_MAX));
    CheckpointData data =
        current instanceof FileContent.Whole readable ? readable.data() : CheckpointData.EMPTY;
    List<Entry> entries = entries(data);
    List<Cooling> cooling = cooling(data, now);
    List<String> leftovers = file.leftovers();
    String journal = file.path().getFileName() + CheckpointFile.JOURNAL;
    List<String> beside = beside(file.path(), files, leftovers, journal);
    return new CheckpointInspection(
        file.path(),
        current,
        previous,
        entries,
        cooling,
        beside,
        Restart.of(current, previous, beside.contains(journal), entries, leftovers, now));
  }

  private static List<String> beside(
      Path file, FilePort files, List<String> leftovers, String journal) throws IOException {
    String name = file.getFileName().toString();
    return files.list(Objects.requireNonNull(file.getParent(), "an absolute path")).stream()
        .filter(
            each ->
                leftovers.contains(each)
                    || each.equals(journal)
                    || each.equals(journal + CheckpointFile.DAMAGED)
                    || each.equals(name + CheckpointFile.DAMAGED)
                    || each.startsWith(name + ".tmp"))
        .sorted()
        .toList();
  }

  /** Of two with one address the newest has it, as in a recovery. */
  private static List<Entry> entries(CheckpointData data) {
    List<CheckpointEntry> newestFirst = new ArrayList<>(data.allocations());
    newestFirst.sort(
        Comparator.comparingLong(CheckpointEntry::epochNanos)
            .reversed()
            .thenComparing(each -> each.key().toString()));
    Set<IpAddress> taken = new HashSet<>();
    List<Entry> all = new ArrayList<>();
    for (CheckpointEntry each : newestFirst) {
      IpAddress address = address(each);
      all.add(new Entry(each, address, taken.add(address) ? State.ASSIGNED : State.DUPLICATE));
    }
    data.extension()
        .map(Extension::orphans)
        .orElse(List.of())
        .forEach(each -> all.add(new Entry(each, address(each), State.ORPHAN)));
    all.sort(Comparator.comparing(Entry::address).thenComparing(Entry::state));
    return all;
  }

  private static IpAddress address(CheckpointEntry entry) {
    return entry.ipv4().or(entry::ipv6).orElseThrow();
  }

  private static List<Cooling> cooling(CheckpointData data, Circumstances now) {
    long nanos = now.epochMillis() * 1_000_000;
    return data.extension().map(Extension::cooldown).orElse(List.of()).stream()
        .map(
            each -> {
              long age = Math.max(0, nanos - each.unassignedEpochNanos());
              long left = Math.max(0, now.cooldown().toNanos() - age);
              return new Cooling(each.ip(), each.unassignedEpochNanos(), Duration.ofNanos(left));
            })
        .toList();
  }
}
