package io.tidemark.ip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoomOrderTest {
  @ParameterizedTest(name = "{0}: {1}, because {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0          | -1 | no range has room
          5          |  0 | there is one range
          0 3        |  1 | the first has no room
          9 2 5      |  1 | two free addresses are fewer than five or nine
          4 2 2 1    |  3 | one free address is the fewest
          4 2 2 0    |  1 | of two equal ones it is the first
          """)
  @DisplayName("The fullest range with room is found")
  void found(String free, int expected, String because) {
    assertThat(order(free).fullest()).as(because).isEqualTo(expected);
  }

  @Test
  @DisplayName("One range fills up before the next is touched")
  void fillsUp() {
    RoomOrder order = order("2 3 2");
    StringBuilder drawn = new StringBuilder();
    for (int range = order.fullest(); range >= 0; range = order.fullest()) {
      drawn.append(range);
      order.setFree(range, order.free(range) - 1);
    }
    assertThat(drawn).hasToString("0022111");
  }

  @Test
  @DisplayName("The order answers as a search through all ranges does")
  void likeSearch() {
    Seeds.forEach(
        1,
        300,
        random -> {
          int[] free = new int[1 + random.nextInt(200)];
          int widest = 1 + random.nextInt(random.nextBoolean() ? 16 : 300);
          RoomOrder order = new RoomOrder(free.length, widest);
          for (int step = 0; step < 300; step++) {
            int range = random.nextInt(free.length);
            free[range] = random.nextInt(3) == 0 ? 0 : random.nextInt(widest + 1);
            order.setFree(range, free[range]);
            int expected =
                IntStream.range(0, free.length)
                    .filter(each -> free[each] > 0)
                    .boxed()
                    .min(Comparator.comparingInt(each -> free[each]))
                    .orElse(-1);
            assertThat(order.fullest()).as(order.toString()).isEqualTo(expected);
          }
        });
  }

  @Test
  @DisplayName("Ranges and counts outside the order are refused and change nothing")
  void bounds() {
    RoomOrder order = order("3 1");
    assertThatThrownBy(() -> order.setFree(2, 1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> order.setFree(0, 4)).hasMessage("4 free addresses; expected 0 to 3");
    assertThatThrownBy(() -> order.setFree(1, -1)).hasMessage("-1 free addresses; expected 0 to 3");
    assertThat(order).hasToString("free [3, 1]");
    assertThat(order.fullest()).isEqualTo(1);
    assertThatThrownBy(() -> new RoomOrder(0, 1)).hasMessageContaining("capacity is 0");
    assertThatThrownBy(() -> new RoomOrder(1, 0)).hasMessageContaining("widest is 0");
  }

  private static RoomOrder order(String text) {
    int[] free = Arrays.stream(text.split(" ", -1)).mapToInt(Integer::parseInt).toArray();
    RoomOrder order = new RoomOrder(free.length, Math.max(1, IntStream.of(free).max().orElse(1)));
    for (int range = 0; range < free.length; range++) {
      order.setFree(range, free[range]);
    }
    return order;
  }
}
