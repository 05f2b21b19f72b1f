package io.tidemark.provider.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.spi.InterfaceId;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What a request changed on an instance")
class ChangeTest {
  private static final InterfaceId ENI_0 = new InterfaceId("eni-0");
  private static final InterfaceId ENI_1 = new InterfaceId("eni-1");
  private static final InterfaceId ENI_2 = new InterfaceId("eni-2");
  private static final Cidr BLOCK = Cidr.parse("10.1.0.0/28");
  private static final Cidr LAST_BLOCK = Cidr.parse("10.1.0.240/28");

  /** The addresses 10.0.0.{@code from} and those after it. */
  private static AddressSet singles(int from, int count) {
    return AddressSet.ofRange(Cidr.parse("10.0.0.0/24")).first(from + count).last(count);
  }

  private static List<Cidr> blocks(String text) {
    return "-".equals(text) ? List.of() : List.of(Cidr.parse(text));
  }

  @Test
  @DisplayName("an addition or removal edits its own interface and no other")
  void editsOne() {
    List<Held> two = List.of(Held.holding(ENI_0, 2), Held.holding(ENI_1, 2));
    Change<Held> added = new Change.Added<>(ENI_1, singles(2, 1), List.of(BLOCK));
    List<Held> more = added.replay(two);
    assertThat(more).containsExactly(two.get(0), Held.of(ENI_1, singles(0, 3), List.of(BLOCK)));
    Change<Held> removed = new Change.Removed<>(ENI_1, singles(2, 1), List.of(BLOCK));
    assertThat(removed.replay(more)).isEqualTo(two);
  }

  @Test
  @DisplayName("an attached interface takes its place in the order of ids, once")
  void attached() {
    List<Held> two = List.of(Held.holding(ENI_0, 0), Held.holding(ENI_2, 0));
    Change<Held> attached = new Change.Attached<>(Held.holding(ENI_1, 5));
    List<Held> three = attached.replay(two);
    assertThat(three).extracting(Held::id).containsExactly(ENI_0, ENI_1, ENI_2);
    assertThat(attached.replay(three)).isEqualTo(three);
  }

  @Test
  @DisplayName("an attached interface has all of its addresses, also where a read shows a part")
  void attachedInPart() {
    Change<Held> attached = new Change.Attached<>(Held.of(ENI_1, singles(0, 5), List.of(BLOCK)));
    List<Held> shown = List.of(Held.holding(ENI_0, 1), Held.holding(ENI_1, 3));
    assertThat(attached.replay(shown))
        .containsExactly(shown.get(0), Held.of(ENI_1, singles(0, 5), List.of(BLOCK)));
  }

  @ParameterizedTest(name = "{0} with {1} singles and block {2}: {3}")
  @DisplayName("a removal remains visible where a part of it is still held")
  @CsvSource({
    "eni-0, 0, -, false",
    "eni-0, 3, -, true",
    "eni-0, 0, 10.1.0.0/28, true",
    "eni-0, 0, 10.1.0.16/28, false",
    "eni-1, 3, 10.1.0.0/28, false"
  })
  void remainsOn(String eni, int singles, String block, boolean remains) {
    Change.Removed<Held> removed =
        new Change.Removed<>(ENI_0, singles(2, 2), List.of(BLOCK, LAST_BLOCK));
    Held card = Held.of(new InterfaceId(eni), singles(0, singles), blocks(block));
    assertThat(removed.remainsOn(card)).as("the removal is visible on %s", card).isEqualTo(remains);
  }

  @ParameterizedTest(name = "an addition to {0} of {1} singles and block {2}: {3}")
  @DisplayName("a removal concerns the addition that brought a part of it")
  @CsvSource({
    "eni-0, 2, -, false",
    "eni-0, 3, -, true",
    "eni-0, 0, 10.1.0.0/28, true",
    "eni-0, 0, 10.1.0.16/28, false",
    "eni-1, 3, 10.1.0.0/28, false"
  })
  void concerns(String eni, int singles, String block, boolean concerned) {
    Change.Removed<Held> removed =
        new Change.Removed<>(ENI_0, singles(2, 2), List.of(BLOCK, LAST_BLOCK));
    Change.Added<Held> added =
        new Change.Added<>(new InterfaceId(eni), singles(0, singles), blocks(block));
    assertThat(removed.concerns(added)).as("the removal concerns %s", added).isEqualTo(concerned);
    Change.Attached<Held> attached =
        new Change.Attached<>(Held.of(added.on(), added.singles(), added.prefixes()));
    assertThat(removed.concerns(attached)).as("and %s", attached).isEqualTo(concerned);
    assertThat(removed.concerns(new Change.AssignLost<>(ENI_0, 1))).as("no addition").isFalse();
  }
}
