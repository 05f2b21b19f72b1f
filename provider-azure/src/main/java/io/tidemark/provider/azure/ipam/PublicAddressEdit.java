package io.tidemark.provider.azure.ipam;

import io.tidemark.provider.azure.network.AzureNetworkInterface;
import io.tidemark.provider.azure.network.ConfigurationChange;
import io.tidemark.provider.azure.network.IpConfiguration;
import io.tidemark.provider.azure.network.PublicAddressChange;
import io.tidemark.provider.azure.network.ResourceId;
import io.tidemark.provider.azure.network.WritableResource;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Changes the public address of an interface's primary configuration. */
record PublicAddressEdit(PublicAddressChange change) implements InterfaceEdit {
  @Override
  public CallResult<Optional<Send>> on(WritableResource base, WritableResource.Interface model) {
    if (isDone(model)) {
      return new CallResult.Answered<>(Optional.empty());
    }
    Optional<String> others =
        current(model.configurations())
            .filter(address -> change instanceof PublicAddressChange.Existing);
    return others.isPresent()
        ? new CallResult.Failed<>(
            Failure.of(
                Failure.Kind.CONFLICT,
                "otherPublicAddress",
                base.id() + " has got the address " + others.get() + " meanwhile"))
        : new CallResult.Answered<>(
            Optional.of(
                new Send(
                    new ConfigurationChange(model.name(), List.of(), Set.of(), Optional.of(change)),
                    this)));
  }

  @Override
  public boolean isDone(WritableResource.Interface model) {
    return isAsWanted(model.configurations());
  }

  @Override
  public boolean shows(AzureNetworkInterface seen) {
    return isAsWanted(seen.configurations());
  }

  private static Optional<String> current(List<IpConfiguration> configurations) {
    return InterfaceEdit.primary(configurations)
        .map(IpConfiguration::publicAddress)
        .filter(address -> !address.isEmpty());
  }

  /** An instance of a set that has a public address has the one of its model. */
  private boolean isAsWanted(List<IpConfiguration> configurations) {
    Optional<String> current = current(configurations);
    return change instanceof PublicAddressChange.Existing wanted
        ? current.flatMap(ResourceId::parse).filter(wanted.address()::equals).isPresent()
        : current.isPresent() != change instanceof PublicAddressChange.Gone;
  }
}
