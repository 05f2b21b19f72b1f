package io.tidemark.provider.azure.ipam;

import io.tidemark.provider.azure.network.ConfigurationChange;
import io.tidemark.provider.azure.network.IpConfiguration;
import io.tidemark.provider.azure.network.NetworkInterface;
import io.tidemark.provider.azure.network.PublicAddressChange;
import io.tidemark.provider.azure.network.WritableResource;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Changes the public address of an interface's primary configuration. */
record PublicAddressEdit(PublicAddressChange change) implements InterfaceEdit {
  @Override
  public Decision on(WritableResource base, WritableResource.Interface model) {
    return isDone(model)
        ? new Decision.Nothing()
        : new Decision.Send(
            new ConfigurationChange(model.name(), List.of(), Set.of(), Optional.of(change)), this);
  }

  @Override
  public boolean isDone(WritableResource.Interface model) {
    return isAsWanted(model.configurations());
  }

  @Override
  public boolean shows(NetworkInterface seen) {
    return isAsWanted(seen.configurations());
  }

  /** An interface that has a public address has the one that was asked for: nobody replaces it. */
  private boolean isAsWanted(List<IpConfiguration> configurations) {
    boolean has =
        InterfaceEdit.primary(configurations)
            .filter(each -> !each.publicAddress().isEmpty())
            .isPresent();
    return has != change instanceof PublicAddressChange.Gone;
  }
}
