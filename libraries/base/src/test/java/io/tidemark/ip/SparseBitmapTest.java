package io.tidemark.ip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SparseBitmapTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 63, 64, 200, 4097})
  @DisplayName("A sparse bitmap of any capacity answers as a plain list of positions does")
  void likeBitSet(int capacity) {
    Seeds.forEach(
        capacity * 1000L,
        20,
        random -> {
          SparseBitmap bitmap = SparseBitmap.ofCapacity(capacity);
          BitSet free = new BitSet();
          free.set(0, capacity);
          for (int step = 0; step < 300; step++) {
            step(bitmap, free, capacity, random);
            compare(bitmap, free, capacity, random);
          }
        });
  }

  @Test
  @DisplayName("The greatest capacity works at both ends, and takes memory by its runs alone")
  void greatest() {
    long capacity = SparseBitmap.CAPACITY_MAX;
    SparseBitmap bitmap = SparseBitmap.ofCapacity(capacity);
    assertThat(bitmap.takeFree(1, capacity - 2)).isEqualTo(capacity - 2);
    assertThat(bitmap.runs()).isEqualTo(1);
    assertThat(bitmap.takeNext(capacity)).isZero();
    assertThat(bitmap.takeNext(1)).isEqualTo(capacity - 1);
    assertThat(bitmap.takeNext(0)).isEqualTo(-1);
    assertThat(bitmap.runs()).isEqualTo(1);
    assertThat(bitmap.freeCount()).isZero();
    assertThat(bitmap.nextFree(0)).isEqualTo(-1);
    assertThat(bitmap.giveBackTaken(1L << 40, 1L << 40)).isEqualTo(1L << 40);
    assertThat(bitmap.runs()).isEqualTo(2);
    assertThat(bitmap.giveBackTaken(0, capacity)).isEqualTo(capacity - (1L << 40));
    assertThat(bitmap.runs()).isZero();
  }

  @Test
  @DisplayName("Positions and capacities out of range are refused")
  void bounds() {
    SparseBitmap bitmap = SparseBitmap.ofCapacity(100);
    assertThatThrownBy(() -> bitmap.isFree(100)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> bitmap.allocate(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> bitmap.takeFree(99, 2))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage("2 positions from 99 are not within a capacity of 100");
    assertThatThrownBy(() -> bitmap.giveBackTaken(1, Long.MAX_VALUE))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> bitmap.countFree(0, -1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> bitmap.nextFree(101)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> bitmap.takeNext(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> SparseBitmap.ofCapacity(0)).hasMessageContaining("capacity is 0");
    assertThatThrownBy(() -> SparseBitmap.ofCapacity(SparseBitmap.CAPACITY_MAX + 1))
        .hasMessageContaining("expected 1 to 4611686018427387904");
    assertThat(bitmap).hasToString("100 of 100 free");
  }

  private static void step(SparseBitmap bitmap, BitSet free, int capacity, Random random) {
    int from = random.nextInt(capacity);
    int count = random.nextInt(Math.min(capacity - from, 1 << random.nextInt(13)) + 1);
    int there = free.get(from, from + count).cardinality();
    switch (random.nextInt(5)) {
      case 0 -> {
        assertThat(bitmap.allocate(from)).isEqualTo(free.get(from));
        free.clear(from);
      }
      case 1 -> {
        assertThat(bitmap.free(from)).isEqualTo(!free.get(from));
        free.set(from);
      }
      case 2 -> {
        int ahead = free.nextSetBit(from);
        int expected = ahead >= 0 ? ahead : free.nextSetBit(0);
        assertThat(bitmap.takeNext(from)).isEqualTo(expected);
        if (expected >= 0) {
          free.clear(expected);
        }
      }
      case 3 -> {
        assertThat(bitmap.takeFree(from, count)).isEqualTo(there);
        free.clear(from, from + count);
      }
      default -> {
        assertThat(bitmap.giveBackTaken(from, count)).isEqualTo(count - there);
        free.set(from, from + count);
      }
    }
  }

  private static void compare(SparseBitmap bitmap, BitSet free, int capacity, Random random) {
    assertThat(bitmap.freeCount()).isEqualTo(free.cardinality());
    int from = random.nextInt(capacity + 1);
    assertThat(bitmap.nextFree(from)).isEqualTo(free.nextSetBit(from));
    int count = random.nextInt(capacity - from + 1);
    assertThat(bitmap.countFree(from, count)).isEqualTo(free.get(from, from + count).cardinality());
    if (from < capacity) {
      assertThat(bitmap.isFree(from)).isEqualTo(free.get(from));
    }
    int runs = 0;
    for (int at = free.nextClearBit(0); at < capacity; at = free.nextClearBit(at)) {
      runs++;
      int end = free.nextSetBit(at);
      at = end < 0 ? capacity : end;
    }
    assertThat(bitmap.runs()).isEqualTo(runs);
  }
}
