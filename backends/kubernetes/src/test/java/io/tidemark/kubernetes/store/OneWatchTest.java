package io.tidemark.kubernetes.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.Claim;
import io.tidemark.cluster.ClaimStoreContract.Told;
import io.tidemark.resource.NodeResourceStore.Watch;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The one watcher of a store")
class OneWatchTest {
  private static final Claim CLAIM = new Claim("node-id-5", "u-9", "41", "n1", "u-1");

  private final KnownObjects<Claim> known = new KnownObjects<>();
  private final OneWatch<Claim> watch = new OneWatch<>("Leases", known, Runnable::run);
  private final Told told = new Told();

  @ParameterizedTest(name = "listed before: {0}")
  @DisplayName("a first list that ends while a watch begins: synced once, after the known objects")
  @ValueSource(booleans = {true, false})
  void listedMeanwhile(boolean before) {
    known.learn(new KnownObject<>(CLAIM.name(), "41", "u-9", Optional.of(CLAIM), List.of(), false));
    Watch begun =
        watch.begin(
            told::upserted,
            told,
            () -> {
              watch.listed();
              return before;
            });
    watch.listed();
    assertThat(told.log()).containsExactly("node-id-5 of n1 u-1", "synced");
    begun.close();
  }
}
