package io.tidemark.provider.mock.cloud;

import io.tidemark.ip.Cidr;
import java.util.List;
import java.util.Objects;

/**
 * A private network.
 *
 * @param primaryCidr its first block
 * @param cidrs further blocks
 */
public record Vpc(String id, Cidr primaryCidr, List<Cidr> cidrs) {
  public Vpc {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(primaryCidr, "primaryCidr");
    cidrs = List.copyOf(cidrs);
  }
}
