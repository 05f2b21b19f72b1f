package io.tidemark.emulator.ec2.model;

import io.tidemark.emulator.kit.time.Ledger;
import io.tidemark.emulator.kit.time.Timeline;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All resources of one kind in a region, in the order of their creation. Mutations see the present;
 * readers see an instant. Not thread-safe.
 */
public final class Table<T extends Resource> {
  /** A resource as a reader sees it, with its place in the order of creation. */
  public record Seen<T>(long serial, T resource) {}

  private static final String TAG = "tag:";

  private static final class Row<T> {
    private final long serial;
    private final String id;
    private Timeline<T> timeline = Timeline.empty();

    Row(long serial, String id) {
      this.serial = serial;
      this.id = id;
    }
  }

  private final ResourceType type;
  private final Ledger ledger;
  private final Map<String, Row<T>> byId = new HashMap<>();
  private final TreeMap<Long, Row<T>> bySerial = new TreeMap<>();
  private final Map<String, Integer> owned = new HashMap<>();
  private final Deque<Row<T>> ended = new ArrayDeque<>();
  private final Map<String, Index<T, Row<T>>> indexes = new HashMap<>();
  private long serials;

  Table(ResourceType type, Ledger ledger) {
    this.type = type;
    this.ledger = ledger;
  }

  /**
   * Finds resources by this property without going through all of them.
   *
   * @param filter the name of the filter of the listing that reads the same property
   */
  Table<T> indexed(String filter, Function<T, List<String>> reader) {
    indexes.put(filter, new Index<>(reader));
    return this;
  }

  /** The same for each {@code tag:<key>}. */
  Table<T> indexedByTags() {
    return indexed(
        TAG,
        resource ->
            resource.tags().values().entrySet().stream()
                .map(tag -> tagged(tag.getKey(), tag.getValue()))
                .toList());
  }

  public ResourceType type() {
    return type;
  }

  /** The current state of the resource. */
  public Optional<T> find(String id) {
    @Nullable Row<T> row = byId.get(id);
    return row == null ? Optional.empty() : row.timeline.present();
  }

  /** The current state of all resources. */
  public Stream<T> present() {
    return bySerial.values().stream().flatMap(row -> row.timeline.present().stream());
  }

  /** The resources as they are now that say this of an indexed property. */
  public Stream<T> presentBy(String filter, String value) {
    Index<T, Row<T>> index = Objects.requireNonNull(indexes.get(filter), filter);
    return index.rows(value).values().stream()
        .flatMap(row -> row.timeline.present().stream())
        .filter(resource -> index.says(resource, value));
  }

  /** The resource as a reader of this instant sees it. */
  public Optional<T> find(String id, Instant instant) {
    @Nullable Row<T> row = byId.get(id);
    return row == null ? Optional.empty() : row.timeline.at(instant);
  }

  /**
   * The rows that a reader of this instant sees, after the resource with this serial; 0 for all.
   *
   * @param exact filters without wildcards; what does not pass them may be left out
   */
  public Stream<Seen<T>> seen(Instant instant, long afterSerial, Map<String, Set<String>> exact) {
    return narrowest(afterSerial, exact)
        .flatMap(row -> row.timeline.at(instant).stream().map(t -> new Seen<>(row.serial, t)));
  }

  /** How many resources the account has now. */
  public int countOf(String ownerId) {
    return owned.getOrDefault(ownerId, 0);
  }

  /** Creates the resource, or gives it a new value. */
  public void put(T resource) {
    @Nullable Row<T> found = byId.get(resource.id());
    Row<T> row = found == null ? newRow(resource.id()) : found;
    if (row.timeline.present().isEmpty()) {
      count(resource.ownerId(), 1);
    }
    write(row, resource);
  }

  /** Ends the resource; nothing happens when there is none. */
  public void remove(String id) {
    @Nullable Row<T> row = byId.get(id);
    if (row != null && row.timeline.present().isPresent()) {
      count(row.timeline.present().get().ownerId(), -1);
      write(row, null);
      ended.add(row);
      ledger.note(() -> ended.remove(row));
    }
  }

  /** Forgets what no reader can see any more. To be called between calls. */
  void purge() {
    while (!ended.isEmpty() && ended.peek().timeline.isOver(ledger.oldestRead())) {
      Row<T> row = ended.remove();
      byId.remove(row.id);
      bySerial.remove(row.serial);
      refile(row, row.timeline, Timeline.empty());
    }
  }

  /** The rows of the index that leaves the fewest, or all; by serial. */
  private Stream<Row<T>> narrowest(long afterSerial, Map<String, Set<String>> exact) {
    List<NavigableMap<Long, Row<T>>> best = List.of(bySerial);
    int fewest = bySerial.size();
    for (Map.Entry<String, Set<String>> filter : exact.entrySet()) {
      Optional<List<NavigableMap<Long, Row<T>>>> found = found(filter.getKey(), filter.getValue());
      int rows = found.stream().flatMap(List::stream).mapToInt(Map::size).sum();
      if (found.isPresent() && rows < fewest) {
        best = found.get();
        fewest = rows;
      }
    }
    if (best.size() == 1) {
      return best.get(0).tailMap(afterSerial, false).values().stream();
    }
    TreeMap<Long, Row<T>> merged = new TreeMap<>();
    best.forEach(rows -> merged.putAll(rows.tailMap(afterSerial, false)));
    return merged.values().stream();
  }

  /** The rows for each value of this filter; empty when there is no index for it. */
  private Optional<List<NavigableMap<Long, Row<T>>>> found(String filter, Set<String> values) {
    if (filter.equals(type.idFilter())) {
      TreeMap<Long, Row<T>> named = new TreeMap<>();
      values.stream()
          .flatMap(id -> Stream.ofNullable(byId.get(id)))
          .forEach(row -> named.put(row.serial, row));
      return Optional.of(List.of(named));
    }
    boolean isTag = filter.startsWith(TAG);
    @Nullable Index<T, Row<T>> index = indexes.get(isTag ? TAG : filter);
    if (index == null) {
      return Optional.empty();
    }
    String key = filter.substring(isTag ? TAG.length() : 0);
    return Optional.of(
        values.stream().map(value -> index.rows(isTag ? tagged(key, value) : value)).toList());
  }

  /** One text for both; a NUL is in no key. */
  private static String tagged(String key, String value) {
    return key + '\0' + value;
  }

  private Row<T> newRow(String id) {
    Row<T> row = new Row<>(++serials, id);
    byId.put(id, row);
    bySerial.put(row.serial, row);
    ledger.note(
        () -> {
          byId.remove(id);
          bySerial.remove(row.serial);
        });
    return row;
  }

  private void write(Row<T> row, @Nullable T value) {
    Timeline<T> before = row.timeline;
    row.timeline = before.plus(ledger.visibleAt(), value, ledger.oldestRead());
    Timeline<T> after = row.timeline;
    refile(row, before, after);
    ledger.note(
        () -> {
          row.timeline = before;
          refile(row, after, before);
        });
  }

  private void refile(Row<T> row, Timeline<T> before, Timeline<T> after) {
    indexes.values().forEach(index -> index.move(row.serial, row, before, after));
  }

  private void count(String ownerId, int by) {
    owned.merge(ownerId, by, Integer::sum);
    ledger.note(() -> owned.merge(ownerId, -by, Integer::sum));
  }
}
