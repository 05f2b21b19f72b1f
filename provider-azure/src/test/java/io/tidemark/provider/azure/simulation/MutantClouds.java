package io.tidemark.provider.azure.simulation;

import io.tidemark.provider.azure.simulation.CloudSetup.Trait;

/** Azure with all that is drawn; can be made by name. */
public final class MutantClouds extends AzureClouds {
  public MutantClouds() {
    super(any -> CloudSetup.PLAIN.with(Trait.MIXED, true).with(Trait.TROUBLED, true));
  }
}
