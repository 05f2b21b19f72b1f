package io.tidemark.provider.azure.ipam;

import io.tidemark.provider.azure.network.NetworkInterface;
import io.tidemark.provider.azure.network.ResourceId;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.spi.InstanceId;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * What one list of interfaces covers: a Uniform set, or the virtual machines of a resource group
 * (Z36). Texts are in lower case. Immutable.
 *
 * @param set the id of the Uniform set; empty for virtual machines
 */
record Scope(String subscription, String group, Optional<String> set) {
  /** The scope of an instance; empty when its id is none of a machine. */
  static Optional<Scope> of(InstanceId instance) {
    return ResourceId.machine(instance.text())
        .map(
            id ->
                new Scope(
                    lower(id.subscription()),
                    lower(id.group()),
                    id.isUniformInstance()
                        ? id.parent().map(ResourceId::text).map(Scope::lower)
                        : Optional.empty()));
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  /** All its interfaces. */
  CompletionStage<CallResult<List<NetworkInterface>>> list(ArmCalls arm, CallContext context) {
    return set.isPresent()
        ? arm.interfacesOfSet(ResourceId.of(set.get()), context)
        : arm.interfacesOfGroup(subscription, group, context);
  }
}
