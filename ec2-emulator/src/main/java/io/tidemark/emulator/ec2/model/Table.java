package io.tidemark.emulator.ec2.model;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All resources of one kind in a region, in the order of their creation. Mutations see the present;
 * readers see an instant. Not thread-safe.
 */
public final class Table<T extends Resource> {
  /** A resource as a reader sees it, with its place in the order of creation. */
  public record Seen<T>(long serial, T resource) {}

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
  private long serials;

  Table(ResourceType type, Ledger ledger) {
    this.type = type;
    this.ledger = ledger;
  }

  public ResourceType type() {
    return type;
  }

  /** The resource as it is now. */
  public Optional<T> find(String id) {
    @Nullable Row<T> row = byId.get(id);
    return row == null ? Optional.empty() : row.timeline.present();
  }

  /** Every resource as it is now. */
  public Stream<T> present() {
    return bySerial.values().stream().flatMap(row -> row.timeline.present().stream());
  }

  /** The resource as a reader of this instant sees it. */
  public Optional<T> find(String id, Instant instant) {
    @Nullable Row<T> row = byId.get(id);
    return row == null ? Optional.empty() : row.timeline.at(instant);
  }

  /** What a reader of this instant sees, after the resource with this serial; 0 for all. */
  public Stream<Seen<T>> seen(Instant instant, long afterSerial) {
    return bySerial.tailMap(afterSerial, false).values().stream()
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
    }
  }

  /** Ids of what exists now, for checks of the whole. */
  List<String> ids() {
    List<String> ids = new ArrayList<>();
    present().forEach(resource -> ids.add(resource.id()));
    return ids;
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
    ledger.note(() -> row.timeline = before);
  }

  private void count(String ownerId, int by) {
    owned.merge(ownerId, by, Integer::sum);
    ledger.note(() -> owned.merge(ownerId, -by, Integer::sum));
  }
}
