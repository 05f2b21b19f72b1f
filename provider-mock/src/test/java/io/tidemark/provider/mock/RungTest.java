package io.tidemark.provider.mock;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.Cidr;
import io.tidemark.provider.mock.cloud.Subnet;
import io.tidemark.spi.AddressPlan;
import io.tidemark.spi.PoolId;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The ladder")
class RungTest {
  private static final Pool A = pool("a", 200, false);
  private static final Pool B = pool("b", 100, false);
  private static final Pool TOUCHED = pool("t", 500, true);

  private static Pool pool(String id, int free, boolean fragmented) {
    Subnet subnet = new Subnet(id, "vpc", "zone", Cidr.parse("10.0.0.0/20"), Map.of());
    return new Pool(new PoolId(id), subnet, free, fragmented);
  }

  private static AddressPlan plan(int wanted, int ceiling, int blockSize) {
    OptionalInt limit = ceiling < 0 ? OptionalInt.empty() : OptionalInt.of(ceiling);
    return new AddressPlan(0, wanted, limit, blockSize, 0);
  }

  private static SlotModel slots(boolean blocks) {
    return SlotModelTest.model("m5.large", SlotModelTest.INDEX_0, blocks, false);
  }

  @Test
  @DisplayName("on an interface: blocks rounded up, one block, then exactly the singles wanted")
  void onInterface() {
    assertThat(Rung.onInterface(plan(20, -1, 16), A, 9))
        .containsExactly(new Rung(A, 2, 0), new Rung(A, 1, 0), new Rung(A, 0, 9));
    assertThat(Rung.onInterface(plan(1, -1, 16), A, 9))
        .containsExactly(new Rung(A, 1, 0), new Rung(A, 0, 1));
    assertThat(Rung.onInterface(plan(5, -1, 1), A, 3)).containsExactly(new Rung(A, 0, 3));
    assertThat(Rung.onInterface(plan(5, -1, 16), A, 0)).isEmpty();
  }

  @Test
  @DisplayName("never passes the ceiling: no whole block under it means singles")
  void ceiling() {
    assertThat(Rung.onInterface(plan(8, 10, 16), A, 9)).containsExactly(new Rung(A, 0, 8));
    assertThat(Rung.onInterface(plan(20, 18, 16), A, 9))
        .containsExactly(new Rung(A, 1, 0), new Rung(A, 0, 9));
    assertThat(Rung.onInterface(plan(8, 0, 16), A, 9)).isEmpty();
  }

  @Test
  @DisplayName("on a new interface: blocks here, blocks in the siblings, then singles")
  void onNewInterface() {
    assertThat(Rung.onNewInterface(plan(40, -1, 16), List.of(TOUCHED, A, B), slots(true), true))
        .containsExactly(
            new Rung(A, 3, 0),
            new Rung(A, 1, 0),
            new Rung(B, 3, 0),
            new Rung(B, 1, 0),
            new Rung(TOUCHED, 0, 9),
            new Rung(A, 0, 9),
            new Rung(B, 0, 9));
    assertThat(Rung.onNewInterface(plan(500, -1, 16), List.of(A), slots(true), true).get(0))
        .isEqualTo(new Rung(A, 9, 0));
  }

  @Test
  @DisplayName("keeps an address of the subnet for the primary, and skips full subnets")
  void primaryNeedsRoom() {
    Pool five = pool("five", 5, false);
    Pool one = pool("one", 1, false);

    assertThat(Rung.onNewInterface(plan(8, -1, 1), List.of(five, one), slots(false), false))
        .containsExactly(new Rung(five, 0, 4));
  }

  @Test
  @DisplayName("counts a usable primary address against the ceiling")
  void usablePrimary() {
    SlotModel primary =
        SlotModelTest.model(
            "m5.large", SlotModelTest.spec(OptionalInt.of(0), true, Map.of()), true, false);

    assertThat(Rung.onNewInterface(plan(16, 16, 16), List.of(A), primary, true))
        .containsExactly(new Rung(A, 0, 9));
    assertThat(Rung.onNewInterface(plan(1, 1, 1), List.of(A), primary, false))
        .containsExactly(new Rung(A, 0, 0));
  }
}
