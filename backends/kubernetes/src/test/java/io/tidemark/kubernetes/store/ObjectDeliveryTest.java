package io.tidemark.kubernetes.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.Claim;
import io.tidemark.cluster.ClaimStoreContract.Told;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Events that a store delivers to its watcher")
class ObjectDeliveryTest {
  private static final Claim CLAIM = new Claim("node-id-5", "u-9", "41", "n1", "u-1");

  @Test
  @DisplayName("a first list that ends while a watch begins: synced once, after the known objects")
  void listedMeanwhile() {
    KnownObjects<Claim> known = new KnownObjects<>();
    known.learn(new KnownObject<>(CLAIM.name(), "41", "u-9", Optional.of(CLAIM), List.of(), false));
    Told told = new Told();
    ObjectDelivery<Claim> delivery =
        new ObjectDelivery<>(known, told::upserted, told, Runnable::run, () -> {});

    delivery.listed();
    delivery.start(known.names());
    delivery.listed();

    assertThat(told.log()).containsExactly("node-id-5 of n1 u-1", "synced");
  }
}
