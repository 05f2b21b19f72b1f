package io.tidemark.nodecidr.ledger;

import io.tidemark.ip.Cidr;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A map whose keys are CIDRs in their order. It keeps them in chunks of arrays: 10 bytes per entry,
 * where a {@link java.util.TreeMap} takes 40, when the keys come in their order.
 *
 * <p>Mutable and not thread-safe: it has one owner.
 */
final class CidrMap<V> {
  private static final int CHUNK_MAX = 64;

  /** In order, at least one; none is empty unless it is the only one. */
  private final List<Chunk<V>> chunks = new ArrayList<>(List.of(new Chunk<>()));

  private int size;

  /** Keys in order, and the value of the key at the same place. */
  private record Chunk<V>(List<Cidr> keys, List<V> values) {
    Chunk() {
      this(new ArrayList<>(CHUNK_MAX), new ArrayList<>(CHUNK_MAX));
    }

    /** Where the key is; {@code -1 - place} for the place where it belongs. */
    int search(Cidr key) {
      return Collections.binarySearch(keys, key);
    }

    int size() {
      return keys.size();
    }

    /** Moves the entries from {@code place} on behind those of another chunk. */
    void moveTo(Chunk<V> target, int place) {
      List<Cidr> movedKeys = keys.subList(place, size());
      List<V> movedValues = values.subList(place, values.size());
      target.keys.addAll(movedKeys);
      target.values.addAll(movedValues);
      movedKeys.clear();
      movedValues.clear();
    }
  }

  int size() {
    return size;
  }

  @Nullable V get(Cidr key) {
    Chunk<V> chunk = chunks.get(chunkOf(key));
    int place = chunk.search(key);
    return place < 0 ? null : chunk.values.get(place);
  }

  void put(Cidr key, V value) {
    int at = chunkOf(key);
    Chunk<V> chunk = chunks.get(at);
    int place = chunk.search(key);
    if (place >= 0) {
      chunk.values.set(place, value);
      return;
    }
    place = -1 - place;
    if (chunk.size() == CHUNK_MAX) {
      // Behind the last key a chunk stays full, so that keys that come in order leave no gaps.
      boolean isLast = place == CHUNK_MAX && at == chunks.size() - 1;
      int half = isLast ? CHUNK_MAX : CHUNK_MAX / 2;
      Chunk<V> behind = new Chunk<>();
      chunk.moveTo(behind, half);
      chunks.add(at + 1, behind);
      if (isLast || place > half) {
        chunk = behind;
        place -= half;
      }
    }
    chunk.keys.add(place, key);
    chunk.values.add(place, value);
    size++;
  }

  void remove(Cidr key) {
    int at = chunkOf(key);
    Chunk<V> chunk = chunks.get(at);
    int place = chunk.search(key);
    if (place < 0) {
      return;
    }
    chunk.keys.remove(place);
    chunk.values.remove(place);
    size--;
    if (at > 0 && chunk.size() + chunks.get(at - 1).size() <= CHUNK_MAX / 2) {
      chunk.moveTo(chunks.get(at - 1), 0);
      chunks.remove(at);
    } else if (chunk.size() == 0 && chunks.size() > 1) {
      chunks.remove(at);
    }
  }

  /** The lowest key at or above this one; null when there is none. */
  @Nullable Cidr ceiling(Cidr key) {
    return fromPlace(key, true);
  }

  /** The lowest key above this one; null when there is none. */
  @Nullable Cidr higher(Cidr key) {
    return fromPlace(key, false);
  }

  private @Nullable Cidr fromPlace(Cidr key, boolean inclusive) {
    int at = chunkOf(key);
    int place = chunks.get(at).search(key);
    if (place < 0) {
      place = -1 - place;
    } else if (!inclusive) {
      place++;
    }
    if (place == chunks.get(at).size()) {
      at++;
      place = 0;
    }
    return at < chunks.size() && chunks.get(at).size() > 0 ? chunks.get(at).keys.get(place) : null;
  }

  /** The chunk that has the key, or would get it: the last that begins at or below it. */
  private int chunkOf(Cidr key) {
    int low = 0;
    int high = chunks.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (chunks.get(middle).keys.get(0).compareTo(key) <= 0) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }
}
