package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.node.MissingAddresses.Missing.Read;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A used address that the cloud does not show")
class MissingAddressesTest {
  private static final long HORIZON = 60;
  private static final IpAddress A = IpAddress.parse("10.0.0.5");
  private static final IpAddress B = IpAddress.parse("10.0.0.6");

  private static MissingAddresses.Missing missed(
      long nanos, int afterReads, IpAddress... addresses) {
    return MissingAddresses.Missing.NONE.observe(
        AddressSet.of(addresses), new Read(afterReads, nanos), Read.NONE, HORIZON);
  }

  @Test
  @DisplayName("is not gone by the read that did not show it, nor by one that began before")
  void earlierReads() {
    MissingAddresses.Missing first = missed(100, 3, A);

    assertThat(first.gone().isEmpty()).isTrue();
    MissingAddresses.Missing sameRead =
        first.observe(AddressSet.of(A), new Read(3, 500), new Read(3, 500), HORIZON);
    assertThat(sameRead.gone().isEmpty()).isTrue();
    MissingAddresses.Missing early =
        first.observe(AddressSet.of(A), new Read(4, 500), new Read(4, 159), HORIZON);
    assertThat(early.gone().isEmpty()).isTrue();
    assertThat(early.missed()).containsOnlyKeys(A);
  }

  @Test
  @DisplayName("is gone by a read that began the horizon after it was first missed")
  void laterRead() {
    MissingAddresses.Missing gone =
        missed(100, 3, A).observe(AddressSet.of(A), new Read(4, 170), new Read(4, 160), HORIZON);

    assertThat(gone.gone()).isEqualTo(AddressSet.of(A));
    assertThat(gone.missed()).isEmpty();
  }

  @Test
  @DisplayName("stays gone, and one that is missed later has a moment of its own")
  void eachForItself() {
    MissingAddresses.Missing gone =
        missed(100, 3, A).observe(AddressSet.of(A), new Read(4, 160), new Read(4, 160), HORIZON);

    MissingAddresses.Missing both =
        gone.observe(AddressSet.of(A, B), new Read(4, 170), new Read(4, 160), HORIZON);

    assertThat(both.gone()).isEqualTo(AddressSet.of(A));
    assertThat(both.missed()).containsOnlyKeys(B);
    assertThat(both.observe(AddressSet.of(A, B), new Read(5, 229), new Read(5, 229), HORIZON))
        .isSameAs(both);
    assertThat(
            both.observe(AddressSet.of(A, B), new Read(5, 230), new Read(5, 230), HORIZON).gone())
        .isEqualTo(AddressSet.of(A, B));
  }

  @Test
  @DisplayName("is forgotten while nothing is known of the instance, but what is gone stays gone")
  void withoutMissed() {
    MissingAddresses.Missing both =
        missed(100, 3, A)
            .observe(AddressSet.of(A), new Read(4, 160), new Read(4, 160), HORIZON)
            .observe(AddressSet.of(A, B), new Read(4, 170), new Read(4, 160), HORIZON);
    MissingAddresses.Missing without = both.withoutMissed();
    assertThat(without.missed()).isEmpty();
    assertThat(without.gone()).isEqualTo(AddressSet.of(A));
    assertThat(without.withoutMissed()).isSameAs(without);
  }

  @Test
  @DisplayName("begins anew when it was shown in between")
  void shownInBetween() {
    MissingAddresses.Missing back =
        missed(100, 3, A).observe(AddressSet.of(), new Read(4, 150), new Read(4, 150), HORIZON);
    assertThat(back).isEqualTo(MissingAddresses.Missing.NONE);

    MissingAddresses.Missing again =
        back.observe(AddressSet.of(A), new Read(5, 190), new Read(5, 190), HORIZON);
    assertThat(again.gone().isEmpty()).isTrue();
  }
}
