package io.tidemark.provider.aws.ec2;

import io.tidemark.ip.Cidr;
import java.util.List;
import java.util.Optional;

/**
 * A VPC as EC2 describes it.
 *
 * @param cidrs further IPv4 blocks that are associated, without the primary one
 */
public record Vpc(String id, Optional<Cidr> primaryCidr, List<Cidr> cidrs) {}
