package io.tidemark.provider.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.resilience.CallKind;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.ReleaseAction;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What any provider gives back (node-manager 2.5, 4.9)")
class ReleasePlannerTest {
  private static final CallKind UNASSIGN = new CallKind("Unassign", CallKind.Effect.REPEATABLE);

  private static ReleasePlanner<Held> planner(Comparator<Held> tie) {
    return new ReleasePlanner<>(UNASSIGN, tie);
  }

  private final ReleasePlanner<Held> planner = planner(Comparator.comparing(Held::id));

  /** An interface with singles from 10.0.n.0 on and blocks from 10.1.n.0 on. */
  private static Held card(int n, int singles, int blocks) {
    return Held.of(n, "pool-" + n, singles, blocks);
  }

  private static InstanceView<Held> view(Held... cards) {
    return new InstanceView<>(1, List.of(cards), false);
  }

  private static String text(ReleaseAction action) {
    return action.blocks().size() + " blocks, " + action.addresses().size() + " singles";
  }

  @ParameterizedTest(name = "{0} too many, {1} blocks and {2} singles unused: {3}")
  @DisplayName("AWS-87 blocks go whole, while the surplus covers them; then singles")
  @CsvSource({
    "0, 1, 3, '0 blocks, 0 singles'",
    "2, 1, 3, '0 blocks, 2 singles'",
    "15, 1, 0, '0 blocks, 0 singles'",
    "16, 1, 0, '1 blocks, 0 singles'",
    "20, 1, 3, '1 blocks, 3 singles'",
    "40, 3, 0, '2 blocks, 0 singles'"
  })
  void byExcess(int excess, int blocks, int singles, String gives) {
    Held card = card(0, singles, blocks);
    ReleaseAction action = planner.byExcess(view(card), any -> true, excess, AddressSet.of());
    assertThat(text(action)).isEqualTo(gives);
    assertThat(action.firstCall()).isEqualTo(UNASSIGN);
    if (!action.isEmpty()) {
      assertThat(action.pool()).contains(new PoolId("pool-0"));
    }
  }

  @Test
  @DisplayName("the highest go first, and nothing that a pod holds")
  void highestUnused() {
    Held card = card(0, 4, 2);
    AddressSet used = AddressSet.of(card.prefixes().get(1).first(), card.singles().last(1).at(0));
    ReleaseAction action = planner.byExcess(view(card), any -> true, 18, used);
    assertThat(action.blocks()).containsExactly(card.prefixes().get(0));
    assertThat(action.addresses()).isEqualTo(card.singles().first(3).last(2));
  }

  @Test
  @DisplayName(
      "the interface with most to give, those that give nothing aside; of equal ones the greatest")
  void whichInterface() {
    InstanceView<Held> two = view(card(0, 4, 0), card(1, 4, 0), card(2, 9, 0));
    Predicate<Held> notTheLast = card -> !card.id().text().equals("eni-2");
    assertThat(planner.byExcess(two, any -> true, 9, AddressSet.of()).onInterface())
        .contains(new InterfaceId("eni-2"));
    assertThat(planner.byExcess(two, notTheLast, 9, AddressSet.of()).onInterface())
        .contains(new InterfaceId("eni-1"));
    ReleasePlanner<Held> smallest = planner(Comparator.comparing(Held::id).reversed());
    assertThat(smallest.byExcess(two, notTheLast, 9, AddressSet.of()).onInterface())
        .contains(new InterfaceId("eni-0"));
    assertThat(planner.byExcess(two, any -> false, 9, AddressSet.of()))
        .isEqualTo(planner.nothing());
  }

  @Test
  @DisplayName("nothing of the surplus goes while an answer is in doubt")
  void doubtful() {
    InstanceView<Held> doubtful = new InstanceView<>(1, List.of(card(0, 4, 0)), true);
    assertThat(planner.byExcess(doubtful, any -> true, 4, AddressSet.of()).isEmpty()).isTrue();
  }

  private static Set<Cidr> cidrs(String... texts) {
    Set<Cidr> cidrs = new TreeSet<>();
    Arrays.stream(texts).map(Cidr::parse).forEach(cidrs::add);
    return cidrs;
  }

  @Test
  @DisplayName(
      "NM-C5 NM-C7 AWS-27 by CIDR: single or whole block where it is attached, one action each")
  void byCidr() {
    InstanceView<Held> view = view(card(0, 4, 1), card(1, 4, 1));
    List<ReleaseAction> actions =
        planner.byCidr(
            view,
            any -> true,
            cidrs("10.0.0.2/32", "10.0.1.1/32", "10.1.1.0/28", "10.1.0.0/29", "10.9.9.9/32"));
    assertThat(actions).hasSize(2);
    assertThat(actions.get(0).allAddresses()).isEqualTo(AddressSet.of(cidr("10.0.0.2/32").first()));
    assertThat(actions.get(1).blocks()).containsExactly(cidr("10.1.1.0/28"));
    assertThat(actions.get(1).addresses()).isEqualTo(AddressSet.of(cidr("10.0.1.1/32").first()));
    assertThat(planner.byCidr(view, any -> false, cidrs("10.0.0.2/32"))).isEmpty();
    assertThat(planner.byCidr(view, any -> true, Set.of())).isEmpty();
  }

  private static Cidr cidr(String text) {
    return Cidr.parse(text);
  }

  @Test
  @DisplayName("Z27 a pinned address stays, and so does the block that it is in")
  void pinned() {
    Held card = card(0, 3, 2);
    AddressSet all = card.singles();
    AddressSet pinned = AddressSet.of(all.at(2)).plus(card.prefixes().get(1).address(7));
    InstanceView<Held> view = view(card.pinning(pinned));
    ReleaseAction action = planner.byExcess(view, any -> true, 100, AddressSet.of());
    assertThat(action.addresses()).isEqualTo(all.first(2));
    assertThat(action.blocks()).containsExactly(card.prefixes().get(0));
    Set<Cidr> cidrs = new TreeSet<>(card.prefixes());
    all.forEach(each -> cidrs.add(Cidr.single(each)));
    assertThat(planner.byCidr(view, any -> true, cidrs)).containsExactly(action);
    assertThat(planner.byCidr(view, any -> true, Set.of(card.prefixes().get(1)))).isEmpty();
  }
}
