package io.tidemark.provider.aws.eni;

import io.tidemark.provider.kit.Change;
import io.tidemark.spi.InterfaceId;
import java.util.List;

/** An interface was marked to go, or not to go, with its instance. */
record Marked(InterfaceId on, boolean deleteOnTermination) implements Change<Eni> {
  @Override
  public List<Eni> replay(List<Eni> interfaces) {
    return Change.edit(interfaces, on, each -> each.withDeleteOnTermination(deleteOnTermination));
  }
}
