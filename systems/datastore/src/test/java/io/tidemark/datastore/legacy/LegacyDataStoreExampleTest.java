package io.tidemark.datastore.legacy;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.datastore.AssignOutcome;
import io.tidemark.datastore.StoreRefusal;
import io.tidemark.datastore.StoreReleaseOutcome;
import io.tidemark.datastore.checkpoint.IpamKey;
import io.tidemark.datastore.checkpoint.MigrationPhase;
import io.tidemark.datastore.checkpoint.TestCheckpoint;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.TimeSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The example of the facade of the AWS VPC CNI")
class LegacyDataStoreExampleTest {
  private final FacadeTime virtual = new FacadeTime();
  private final TimeSource time = virtual.time;
  private final EffectRunner effects = virtual.effects;
  private final TestCheckpoint backingStore = TestCheckpoint.empty();

  @Test
  @DisplayName("gives a sandbox an address, and takes it back")
  void example() {
    LegacyDataStore store =
        new LegacyDataStore(time, effects, backingStore, MigrationPhase.FILE, SandboxSource.NONE);
    Optional<StoreRefusal> added = store.addEni("eni-1", 0, true, false);
    if (added.isEmpty()) {
      added = store.addIpv4AddressToStore("eni-1", "10.0.0.5");
    }
    IpamKey sandbox = new IpamKey("aws-cni", "container-1", "eth0");
    CompletionStage<String> address =
        store
            .readBackingStore()
            .thenCompose(
                failure ->
                    failure.isEmpty()
                        ? store.assignPodIpv4Address(sandbox)
                        : CompletableFuture.completedStage(
                            new AssignOutcome.Refused(failure.get())))
            .thenApply(
                end ->
                    end instanceof AssignOutcome.Granted granted
                        ? granted.assignment().address().toString()
                        : end.toString());
    // The sandbox is deleted:
    CompletionStage<StoreReleaseOutcome> released =
        address.thenCompose(ip -> store.unassignPodIpv4Address(sandbox));

    assertThat(virtual.ended(released)).isInstanceOf(StoreReleaseOutcome.Released.class);
    assertThat(virtual.ended(address)).isEqualTo("10.0.0.5");
    assertThat(added).isEmpty();
  }
}
