/** Returns the BIP-39 mnemonic of 16 random bytes: twelve English words. Throws if BIP-39 does not allow the length. */
export async function mnemonicFrom(entropy: Uint8Array): Promise<string> {
  const [{ entropyToMnemonic }, { wordlist }] = await Promise.all([
    import('@scure/bip39'),
    import('@scure/bip39/wordlists/english.js'),
  ]);
  return entropyToMnemonic(Uint8Array.from(entropy), wordlist);
}
