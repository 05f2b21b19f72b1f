package io.tidemark.provider.aws.doctor;

import io.tidemark.provider.aws.ec2.Ec2Operation;

/**
 * A permission, and who must grant it.
 *
 * @param ofNetwork whether the account that owns VPC, subnets and the interfaces that we create;
 *     else, and with one account, that of the instances and what they were launched with (7.2)
 */
record Asked(Ec2Operation operation, boolean ofNetwork) {}
