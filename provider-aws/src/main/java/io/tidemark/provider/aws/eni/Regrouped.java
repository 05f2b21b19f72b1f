package io.tidemark.provider.aws.eni;

import io.tidemark.provider.kit.Change;
import io.tidemark.spi.InterfaceId;
import java.util.List;

/** An interface got other security groups. */
record Regrouped(InterfaceId on, List<String> groups) implements Change<Eni> {
  Regrouped {
    groups = List.copyOf(groups);
  }

  @Override
  public List<Eni> replay(List<Eni> interfaces) {
    return Change.edit(interfaces, on, each -> each.withSecurityGroups(groups));
  }
}
