package io.tidemark.provider.aws.doctor;

import io.tidemark.provider.aws.ec2.Ec2Operation;

/** A permission, and who must grant it. */
record Asked(Ec2Operation operation, Account account) {
  /** Whose requests they are; with one account all are of the instances'. */
  enum Account {
    /** Owns the instances and the interfaces that they were launched with. */
    INSTANCES,
    /** Owns VPC, subnets and the interfaces that we create (7.2). */
    NETWORK
  }

  static Asked ofInstances(Ec2Operation operation) {
    return new Asked(operation, Account.INSTANCES);
  }

  static Asked ofNetwork(Ec2Operation operation) {
    return new Asked(operation, Account.NETWORK);
  }

  boolean isOfNetwork() {
    return account == Account.NETWORK;
  }
}
