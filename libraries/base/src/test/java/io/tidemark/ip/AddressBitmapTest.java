package io.tidemark.ip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.BitSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressBitmapTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 63, 64, 65, 200, 4096, 4097, 9000})
  @DisplayName("A bitmap of any capacity answers as a plain list of positions does")
  void likeBitSet(int capacity) {
    Seeds.forEach(
        capacity * 1000L,
        20,
        random -> {
          AddressBitmap bitmap = AddressBitmap.ofCapacity(capacity);
          BitSet free = new BitSet();
          free.set(0, capacity);
          for (int step = 0; step < 300; step++) {
            if (random.nextInt(100) == 0) {
              bitmap = bitmap.copy();
            }
            step(bitmap, free, capacity, random);
            compare(bitmap, free, capacity, random);
          }
        });
  }

  @Test
  @DisplayName("A full bitmap of the greatest capacity finds the one free position and block")
  void greatest() {
    AddressBitmap bitmap = AddressBitmap.over(Cidr.parse("10.0.0.0/8"));
    assertThat(bitmap.capacity()).isEqualTo(AddressBitmap.CAPACITY_MAX);
    assertThat(bitmap.nextFreeBlock(24, 0)).hasValue(0);
    assertThat(bitmap.nextFreeBlock(24, 1)).isEmpty();
    assertThat(bitmap.countFreeBlocks(23)).isEqualTo(2);
    assertThat(bitmap.allocateRange(0, bitmap.capacity())).isTrue();
    assertThat(bitmap.nextFree(0)).isEmpty();
    assertThat(bitmap.freeRange(0xfedc00, 128)).isTrue();
    assertThat(bitmap.nextFree(0)).hasValue(0xfedc00);
    assertThat(bitmap.nextFree(0xfedc7f)).hasValue(0xfedc7f);
    assertThat(bitmap.nextFree(0xfedc80)).isEmpty();
    assertThat(bitmap.nextFree(bitmap.capacity())).isEmpty();
    assertThat(bitmap.nextFreeCyclic(bitmap.capacity())).hasValue(0xfedc00);
    assertThat(bitmap.nextFreeBlock(7, 0)).hasValue(0xfedc00);
    assertThat(bitmap.nextFreeBlock(8, 0)).isEmpty();
    assertThat(bitmap.nextFreeBlock(30, bitmap.capacity())).isEmpty();
    assertThat(bitmap.countFreeBlocks(30)).isZero();
  }

  @Test
  @DisplayName("A copy and its origin do not see each other's changes")
  void copies() {
    AddressBitmap origin = AddressBitmap.ofCapacity(100);
    AddressBitmap copy = origin.copy();
    copy.allocate(0);
    origin.allocate(99);
    assertThat(origin.isFree(0)).isTrue();
    assertThat(copy.isFree(99)).isTrue();
    assertThat(copy.nextFree(0)).hasValue(1);
    assertThat(copy).hasToString("99 of 100 free");
  }

  @ParameterizedTest(name = "runs of 2^{0}")
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
  @DisplayName("The count of free runs that each change keeps is that of a count from the start")
  void keptCount(int exponent) {
    Random random = new Random(exponent);
    int capacity = 5_000;
    AddressBitmap bitmap = AddressBitmap.ofCapacity(capacity);
    BitSet free = new BitSet();
    free.set(0, capacity);
    bitmap.countFreeBlocks(exponent);
    for (int i = 0; i < 2_000; i++) {
      step(bitmap, free, capacity, random);
      assertThat(bitmap.countFreeBlocks(exponent))
          .isEqualTo(starts(free, exponent, capacity).length);
      if (i % 500 == 0) {
        bitmap = bitmap.copy();
      }
    }
  }

  @Test
  @DisplayName("Positions, exponents and capacities out of range are refused")
  void bounds() {
    AddressBitmap bitmap = AddressBitmap.ofCapacity(100);
    for (ThrowingCallable each :
        List.<ThrowingCallable>of(
            () -> bitmap.isFree(100),
            () -> bitmap.allocate(-1),
            () -> bitmap.free(100),
            () -> bitmap.nextFree(101),
            () -> bitmap.takeNext(101),
            () -> bitmap.nextTaken(-1),
            () -> bitmap.allocateRange(99, 2),
            () -> bitmap.takeFree(99, 2),
            () -> bitmap.giveBackTaken(0, -1),
            () -> bitmap.countFree(1, Integer.MAX_VALUE),
            () -> bitmap.countFree(0, -1))) {
      assertThatThrownBy(each).isInstanceOf(IndexOutOfBoundsException.class);
    }
    for (int exponent : new int[] {0, 6, 7}) {
      assertThatThrownBy(() -> bitmap.nextFreeBlock(exponent, -1))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessageContaining("from -1 are not within a capacity of 100");
      assertThatThrownBy(() -> bitmap.nextFreeBlock(exponent, 101))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessageContaining("from 101 are not within a capacity of 100");
    }
    assertThatThrownBy(() -> bitmap.nextFreeBlock(-1, 0)).hasMessageContaining("exponent is -1");
    assertThatThrownBy(() -> bitmap.countFreeBlocks(31)).hasMessageContaining("exponent is 31");
    assertThatThrownBy(() -> AddressBitmap.ofCapacity(0)).hasMessageContaining("capacity is 0");
    assertThatThrownBy(() -> AddressBitmap.ofCapacity(AddressBitmap.CAPACITY_MAX + 1))
        .hasMessageContaining("16777217");
    assertThatThrownBy(() -> AddressBitmap.over(Cidr.parse("10.0.0.0/7")))
        .hasMessageContaining("10.0.0.0/7 is too big");
    assertThatThrownBy(() -> AddressBitmap.over(Cidr.parse("::/64")))
        .hasMessageContaining("::/64 is too big");
  }

  private static void step(AddressBitmap bitmap, BitSet free, int capacity, Random random) {
    int from = random.nextInt(capacity);
    int count = random.nextInt(Math.min(capacity - from, 1 << random.nextInt(13)) + 1);
    boolean allFree = free.nextClearBit(from) >= from + count;
    boolean allTaken = free.get(from, from + count).isEmpty();
    switch (random.nextInt(8)) {
      case 0 -> {
        assertThat(bitmap.allocate(from)).isEqualTo(free.get(from));
        free.clear(from);
      }
      case 1 -> {
        assertThat(bitmap.free(from)).isEqualTo(!free.get(from));
        free.set(from);
      }
      case 2 -> {
        int expected = cyclic(free, from);
        assertThat(bitmap.takeNext(from)).isEqualTo(expected);
        if (expected >= 0) {
          free.clear(expected);
        }
      }
      case 3, 4 -> {
        assertThat(bitmap.allocateRange(from, count)).isEqualTo(allFree);
        if (allFree) {
          free.clear(from, from + count);
        }
      }
      case 5 -> {
        int expected = free.get(from, from + count).cardinality();
        assertThat(bitmap.takeFree(from, count)).isEqualTo(expected);
        free.clear(from, from + count);
      }
      case 6 -> {
        int expected = count - free.get(from, from + count).cardinality();
        assertThat(bitmap.giveBackTaken(from, count)).isEqualTo(expected);
        free.set(from, from + count);
      }
      default -> {
        assertThat(bitmap.freeRange(from, count)).isEqualTo(allTaken);
        if (allTaken) {
          free.set(from, from + count);
        }
      }
    }
  }

  private static void compare(AddressBitmap bitmap, BitSet free, int capacity, Random random) {
    assertThat(bitmap.freeCount()).isEqualTo(free.cardinality());
    int from = random.nextInt(capacity + 1);
    assertThat(bitmap.nextFree(from)).isEqualTo(optional(free.nextSetBit(from)));
    assertThat(bitmap.nextFreeCyclic(from)).isEqualTo(optional(cyclic(free, from)));
    int taken = free.nextClearBit(from);
    assertThat(bitmap.nextTaken(from)).isEqualTo(taken < capacity ? taken : -1);
    int count = random.nextInt(capacity - from + 1);
    assertThat(bitmap.countFree(from, count)).isEqualTo(free.get(from, from + count).cardinality());
    if (from < capacity) {
      assertThat(bitmap.isFree(from)).isEqualTo(free.get(from));
    }
    int exponent = random.nextInt(10);
    int[] starts = starts(free, exponent, capacity);
    assertThat(bitmap.countFreeBlocks(exponent)).isEqualTo(starts.length);
    assertThat(bitmap.nextFreeBlock(exponent, from))
        .isEqualTo(IntStream.of(starts).filter(start -> start >= from).findFirst());
  }

  /** Where an aligned run of 2^{@code exponent} free positions starts. */
  private static int[] starts(BitSet free, int exponent, int capacity) {
    int size = 1 << exponent;
    return IntStream.iterate(0, start -> start + size <= capacity, start -> start + size)
        .filter(start -> free.nextClearBit(start) >= start + size)
        .toArray();
  }

  private static int cyclic(BitSet free, int from) {
    int ahead = free.nextSetBit(from);
    return ahead >= 0 ? ahead : free.nextSetBit(0);
  }

  private static OptionalInt optional(int position) {
    return position < 0 ? OptionalInt.empty() : OptionalInt.of(position);
  }
}
