package io.tidemark.provider.aws.ec2;

import io.tidemark.spi.PoolId;
import java.util.Set;

/**
 * A route table as far as subnets are concerned.
 *
 * @param main whether subnets without a table of their own use it
 * @param subnets explicitly associated
 */
public record RouteTable(String id, String vpcId, boolean main, Set<PoolId> subnets) {}
