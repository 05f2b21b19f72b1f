package io.tidemark.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.NavigableSet;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EntryHeapTest {
  private static final class Numbered extends EntryHeap.Entry {
    final long due;
    final int number;

    Numbered(long due, int number) {
      this.due = due;
      this.number = number;
    }
  }

  static LongStream seeds() {
    return LongStream.range(0, 100);
  }

  @DisplayName("Any mix of adding, taking and withdrawing gives the order of a sorted set")
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void likeSortedSet(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    EntryHeap heap = new EntryHeap();
    TreeSet<Numbered> model =
        new TreeSet<>(
            Comparator.comparingLong((Numbered n) -> n.due).thenComparingInt(n -> n.number));
    long times = random.nextLong(1, 1000);
    for (int i = 0; i < 2000; i++) {
      double draw = random.nextDouble();
      if (draw < 0.55 || model.isEmpty()) {
        Numbered added = new Numbered(random.nextLong(times) - times / 2, i);
        heap.add(added.due, added);
        model.add(added);
      } else if (draw < 0.75) {
        Numbered first = model.first();
        model.remove(first);
        assertThat(heap.firstDue()).isEqualTo(first.due);
        assertThat(heap.isDue(first.due)).isTrue();
        assertThat(heap.isDue(first.due - 1)).isFalse();
        assertThat(heap.poll()).isSameAs(first);
        assertThat(first.isQueued()).isFalse();
      } else if (draw < 0.99) {
        Numbered any = any(model, random);
        model.remove(any);
        heap.remove(any);
        assertThat(any.isQueued()).isFalse();
      } else {
        int modulus = random.nextInt(2, 5);
        model.removeIf(n -> n.number % modulus == 0);
        heap.removeIf(e -> ((Numbered) e).number % modulus == 0);
      }
      assertThat(heap.size()).isEqualTo(model.size());
    }
    while (!model.isEmpty()) {
      assertThat(heap.poll()).isSameAs(model.pollFirst());
    }
    assertThat(heap.size()).isZero();
  }

  private static Numbered any(NavigableSet<Numbered> model, SplittableRandom random) {
    Numbered probe = new Numbered(model.first().due, random.nextInt(2000));
    Numbered found = model.ceiling(probe);
    return found == null ? model.last() : found;
  }
}
