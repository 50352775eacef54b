// A phrase with what is given in the places of its first % signs.
const say = (phrase, ...given) => phrase.replace(/%/g, (sign) => given.shift() ?? sign);
