package io.tidemark.provider.aws.eni;

import io.tidemark.provider.kit.Change;
import io.tidemark.spi.InterfaceId;
import java.util.List;

/** An interface was detached from the instance. */
record Detached(InterfaceId id) implements Change<AwsEni> {
  @Override
  public List<AwsEni> replay(List<AwsEni> interfaces) {
    return interfaces.stream().filter(each -> !each.id().equals(id)).toList();
  }
}
