package io.tidemark.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class CoolingQueueTest {
  private record Stay(Integer item, long since) {}

  @Test
  @DisplayName("Items leave in the order in which they were given back")
  void order() {
    CoolingQueue<String> queue = new CoolingQueue<>();
    queue.add("a", 10);
    queue.add("b", 20);
    queue.add("c", 20);
    queue.add("early", 15);
    assertThat(queue.size()).isEqualTo(4);
    assertThat(queue.headNanos()).isEqualTo(10);
    assertThat(queue.head()).isEqualTo("a");
    List<String> left = new ArrayList<>();
    while (!queue.isEmpty()) {
      left.add(queue.poll());
    }
    assertThat(left).containsExactly("a", "early", "b", "c");
  }

  @Test
  @DisplayName("The first that is wanted leaves before those ahead of it")
  void wanted() {
    CoolingQueue<String> queue = new CoolingQueue<>();
    queue.add("a", 10);
    queue.add("bb", 20);
    queue.add("cc", 30);
    assertThat(queue.poll(each -> each.length() == 2)).isEqualTo("bb");
    assertThat(queue.poll(each -> each.length() == 3)).isNull();
    assertThat(queue.poll()).isEqualTo("a");
    assertThat(queue.poll()).isEqualTo("cc");
  }

  @Test
  @DisplayName("Times are compared by subtraction, so a clock that overflows does no harm")
  void overflow() {
    CoolingQueue<String> queue = new CoolingQueue<>();
    queue.add("before", Long.MAX_VALUE);
    queue.add("after", Long.MIN_VALUE);
    assertThat(queue.poll()).isEqualTo("before");
  }

  @Test
  @DisplayName("An empty queue has no head and holds nothing to remove")
  void empty() {
    CoolingQueue<String> queue = new CoolingQueue<>();
    assertThatThrownBy(queue::head).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(queue::headNanos).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(queue::poll).hasMessage("nothing cools");
    assertThat(queue.remove("a")).isFalse();
  }

  @Test
  @DisplayName("The queue answers as a sorted list does")
  void likeList() {
    for (long seed = 1; seed <= 200; seed++) {
      Random random = new Random(seed * 0x9E3779B97F4A7C15L);
      CoolingQueue<Integer> queue = new CoolingQueue<>();
      List<Stay> model = new ArrayList<>();
      long now = random.nextLong();
      for (int step = 0; step < 400; step++) {
        now += random.nextInt(3);
        int item = random.nextInt(60);
        boolean here = model.stream().anyMatch(stay -> stay.item() == item);
        if (random.nextInt(5) == 0 && !model.isEmpty()) {
          assertThat(queue.poll()).as("seed " + seed).isEqualTo(model.remove(0).item());
        } else if (random.nextInt(4) == 0) {
          assertThat(queue.remove(item)).as("seed " + seed).isEqualTo(here);
          model.removeIf(stay -> stay.item() == item);
        } else if (!here) {
          long since = random.nextInt(4) == 0 ? now - random.nextInt(20) : now;
          queue.add(item, since);
          model.add(new Stay(item, since));
          long base = now;
          model.sort(Comparator.comparingLong(stay -> stay.since() - base));
        }
        List<Stay> found = new ArrayList<>();
        queue.forEach((each, since) -> found.add(new Stay(each, since)));
        assertThat(found).as("seed " + seed).isEqualTo(model);
        assertThat(queue.size()).isEqualTo(model.size());
        if (!model.isEmpty()) {
          assertThat(queue.headNanos()).as("seed " + seed).isEqualTo(model.get(0).since());
        }
      }
    }
  }
}
